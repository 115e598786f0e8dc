export const queueVersion = 5;
/** The version of the first release. Earlier ones stored absolute paths, so that an undo could change another folder. */
export const firstReleasedVersion = 3;

const learning = `
  -- Decisions of the user, from which the proposals for the remaining notes are learned.
  create table example (
    ordinal integer primary key,
    chunk text not null unique,
    target text not null,
    weight real not null
  ) strict;
  -- What the scan proposed for a chunk whose proposal was learned.
  create table scanned_proposal (
    chunk text primary key,
    proposed text not null,
    confidence real not null,
    reasons text not null,
    alternatives text not null
  ) strict, without rowid;
`;

/** The statements that lead from each released version to the next. */
export const queueUpgrades: Readonly<Record<number, string>> = {
  3: `
    alter table source_file add column mode integer;
    alter table source_file add column modified_ms real;
    alter table source_file add column modified_at text;
    alter table source_file add column created_at text;
    alter table chunk add column basis text;
  `,
  4: learning,
};

/** Paths in here are relative to the knowledge root, with forward slashes: a copied or moved root stays whole. */
export const queueSchema = `
  -- Folders that were scanned, by their real paths; the empty one for pasted text.
  create table source_root (id integer primary key, path text not null unique) strict;
  -- Every file that a scan has met, read or not.
  create table source_file (
    id integer primary key,
    root integer not null references source_root (id),
    name text not null,
    -- Its name without folders and extension, in lower case: what a wikilink says.
    base text not null,
    status text not null,
    detail text not null,
    hash text,
    encoding text,
    confidence real,
    -- The person has said which encoding it is.
    said integer not null default 0,
    front_matter text,
    seen_by text not null,
    -- Its permission bits and its times when it was scanned; null before version 4.
    mode integer,
    modified_ms real,
    modified_at text,
    created_at text,
    unique (root, name)
  ) strict;
  create index source_file_by_base on source_file (base);
  create index source_file_by_hash on source_file (hash);
  create table chunk (
    ordinal integer primary key,
    id text not null unique,
    source text not null,
    kind text not null,
    part text not null check (part in ('note', 'section', 'entry')),
    headings text not null,
    spans text not null,
    text text not null,
    tags text not null,
    proposed text not null,
    confidence real not null,
    reasons text not null,
    alternatives text not null,
    state text not null check (state in ('scanned', 'approved', 'modified', 'rejected', 'unclear', 'committed')),
    chosen text,
    consent text not null default '{}',
    run text,
    -- The committed chunk that this is a newer version of.
    replaces text,
    -- Of its text without what surrounds it: the same text elsewhere has the same.
    text_hash text not null,
    -- Of a whole note the kind of evidence for its target.
    basis text
  ) strict;
  create index chunk_by_text on chunk (text_hash);
  create index chunk_by_state on chunk (state, proposed);
  create index chunk_by_run on chunk (run);
  create index chunk_by_replaced on chunk (replaces) where replaces is not null;
  -- Which chunks a file is cut into. Two files of the same name and text in different folders share theirs.
  create table file_chunk (
    file integer not null references source_file (id),
    position integer not null,
    chunk text not null,
    primary key (file, position)
  ) strict, without rowid;
  create index file_chunk_by_chunk on file_chunk (chunk);
  create table remainder (
    file integer not null references source_file (id),
    start_byte integer not null,
    end_byte integer not null,
    kind text not null,
    primary key (file, start_byte)
  ) strict, without rowid;

  create table run (
    id text primary key,
    started_at text not null,
    command text not null
  ) strict;
  -- One file written or removed: the intention before, the outcome after. What lies between is settled by recovery.
  create table entry (
    ordinal integer primary key,
    run text not null,
    path text not null,
    state text not null check (state in ('intended', 'done', 'dropped')),
    before_hash text not null,
    after_hash text not null,
    temporary text not null
  ) strict;
  create index entry_by_state on entry (state) where state = 'intended';
  -- What a chunk put into a file. Undo takes exactly this out again.
  create table piece (
    ordinal integer primary key,
    chunk text not null,
    run text not null,
    path text not null,
    kind text not null check (kind in ('text', 'settings', 'copy')),
    text text not null,
    before_text text,
    state text not null check (state in ('adding', 'present', 'removing', 'removed')),
    entry integer not null
  ) strict;
  create index piece_by_run on piece (run, state);
  create index piece_by_chunk on piece (chunk);
  create index piece_by_path on piece (path, state);
  create index piece_by_entry on piece (entry);
  -- Files and folders (with a slash at the end) that exist only because of a migration.
  create table created (path text primary key, heading text not null) strict, without rowid;
  -- The links of committed chunks to other files, and what each was written as.
  create table link (
    chunk text not null,
    ordinal integer not null,
    raw text not null,
    state text not null check (state in ('linked', 'waiting', 'missing')),
    file integer references source_file (id),
    rendered text not null,
    primary key (chunk, ordinal)
  ) strict, without rowid;
  create index link_by_file on link (file);
  -- Where a file that notes refer to was copied to.
  create table attachment (file integer primary key references source_file (id), path text not null, hash text not null) strict;
  -- The files that chunks are appended to, as the latest scan or commit left them.
  create table target_file (path text primary key, hash text not null, content blob) strict, without rowid;
  ${learning}
`;

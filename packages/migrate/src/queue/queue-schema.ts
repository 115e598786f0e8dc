/** Forward only: entry n brings a queue from version n to n + 1. */
export const queueMigrations: readonly string[] = [
  `
  create table chunk (
    ordinal integer primary key,
    id text not null unique,
    source text not null,
    kind text not null,
    headings text not null,
    start_byte integer not null,
    end_byte integer not null,
    text text not null,
    tags text not null,
    proposed text not null,
    confidence real not null,
    reasons text not null,
    alternatives text not null,
    state text not null check (state in ('scanned', 'approved', 'modified', 'rejected', 'unclear', 'committed')),
    chosen text,
    consent text not null default '{}',
    run text
  ) strict;
  create index chunk_by_state on chunk (state, proposed);
  create table remainder (
    source text not null,
    kind text not null,
    start_byte integer not null,
    end_byte integer not null,
    primary key (source, start_byte)
  ) strict, without rowid;
  create table noted (name text primary key, kind text not null) strict, without rowid;
  create table run (
    id text primary key,
    started_at text not null,
    command text not null,
    state text not null check (state in ('open', 'done', 'undone'))
  ) strict;
  create table entry (
    ordinal integer primary key,
    run text not null,
    path text not null,
    mode text not null check (mode in ('insert', 'replace')),
    state text not null check (state in ('intended', 'done', 'dropped', 'undoing', 'undone')),
    existed integer not null,
    before_hash text,
    after_hash text not null,
    undone_hash text,
    before_bytes blob,
    span text not null,
    temporary text not null,
    chunks text not null
  ) strict;
  create index entry_by_state on entry (state);
  create index entry_by_run on entry (run);
  create table created (path text primary key, heading text not null) strict, without rowid;
  `,
];

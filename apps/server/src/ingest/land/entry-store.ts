import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { SourceId } from '../sources/source.ts';

export type EntryId = Id<'item'>;

/** The text of an entry, as stored. */
export interface EntryWording {
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly fingerprint: Buffer;
}

export interface NewEntry extends EntryWording {
  readonly id: EntryId;
  readonly sourceId: SourceId;
  readonly addressKey: Buffer | null;
  readonly url: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly publishedRaw: string | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly firstImport: boolean;
  /** The domain of the page to fetch before the entry is published; null: no page is fetched. */
  readonly pageDomain: string | null;
  /** The source is isolated: the entry is stored and never published. */
  readonly isDeclined: boolean;
}

/** The entries of a source by key, in hex. Null: the entry was left out of the first import. */
export async function readKnownKeys(
  database: Database,
  sourceId: SourceId,
  keys: readonly Buffer[],
): Promise<ReadonlyMap<string, EntryId | null>> {
  if (keys.length === 0) return new Map();
  const rows = await database
    .selectFrom('newsroom.entry_key')
    .select(['key', 'entry_id'])
    .where('source_id', '=', sourceId)
    .where((where) => sql<boolean>`${where.ref('key')} = ANY(${[...keys]}::bytea[])`)
    .execute();
  return new Map(rows.map(({ key, entry_id }) => [key.toString('hex'), entry_id as EntryId | null]));
}

export async function insertKeys(
  database: Database,
  sourceId: SourceId,
  keys: readonly { readonly key: Buffer; readonly entryId: EntryId | null }[],
): Promise<void> {
  if (keys.length === 0) return;
  await database
    .insertInto('newsroom.entry_key')
    .values(keys.map(({ key, entryId }) => ({ source_id: sourceId, key, entry_id: entryId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the inserted ids. For the others, an entry with the same address exists. Inserts in the order of addresses, so that two feeds that share articles cannot deadlock. */
export async function insertEntries(
  database: Database,
  entries: readonly NewEntry[],
): Promise<ReadonlySet<EntryId>> {
  if (entries.length === 0) return new Set();
  const ordered = entries.toSorted((one, other) =>
    Buffer.compare(one.addressKey ?? Buffer.alloc(0), other.addressKey ?? Buffer.alloc(0)),
  );
  const rows = await database
    .insertInto('newsroom.entry')
    .values(
      ordered.map((entry) => ({
        id: entry.id,
        source_id: entry.sourceId,
        address_key: entry.addressKey,
        url: entry.url,
        title: entry.title,
        text: entry.text,
        language: entry.language,
        published_at: entry.publishedAt === null ? null : toTimestamptz(entry.publishedAt),
        published_raw: entry.publishedRaw,
        discovered_at: toTimestamptz(entry.discoveredAt),
        first_import: entry.firstImport,
        page_domain: entry.pageDomain,
        ...(entry.isDeclined && {
          outcome: 'declined',
          outcome_reason: 'The source is isolated.',
          outcome_at: toTimestamptz(entry.discoveredAt),
        }),
      })),
    )
    .onConflict((conflict) => conflict.column('address_key').where('address_key', 'is not', null).doNothing())
    .returning('id')
    .execute();
  const inserted = new Set(rows.map(({ id }) => id as EntryId));
  await insertWordings(
    database,
    entries.filter(({ id }) => inserted.has(id)),
  );
  return inserted;
}

/** By hex of the key. */
export async function readByAddress(
  database: Database,
  addressKeys: readonly Buffer[],
): Promise<ReadonlyMap<string, { readonly id: EntryId; readonly sourceId: SourceId }>> {
  if (addressKeys.length === 0) return new Map();
  const rows = await database
    .selectFrom('newsroom.entry')
    .select(['id', 'source_id', 'address_key'])
    .where((where) => sql<boolean>`${where.ref('address_key')} = ANY(${[...addressKeys]}::bytea[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.address_key?.toString('hex') ?? '',
      { id: row.id as EntryId, sourceId: row.source_id as SourceId },
    ]),
  );
}

export async function insertSightings(
  database: Database,
  sourceId: SourceId,
  seenAt: EpochMicroseconds,
  sightings: readonly { readonly entryId: EntryId; readonly title: string }[],
): Promise<void> {
  if (sightings.length === 0) return;
  await database
    .insertInto('newsroom.sighting')
    .values(
      sightings.map(({ entryId, title }) => ({
        entry_id: entryId,
        source_id: sourceId,
        title,
        seen_at: toTimestamptz(seenAt),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Changes of known entries that a list contains. */
export interface ChangedEntries {
  /** Entries of this source with a wording that they have not had before. */
  readonly edited: ReadonlySet<EntryId>;
  /** Entries that were missing from an earlier list. */
  readonly returned: readonly EntryId[];
}

export async function readChangedEntries(
  database: Database,
  sourceId: SourceId,
  listed: readonly { readonly entryId: EntryId; readonly fingerprint: Buffer }[],
): Promise<ChangedEntries> {
  if (listed.length === 0) return { edited: new Set(), returned: [] };
  const { rows } = await sql<{ id: EntryId; edited: boolean; returned: boolean }>`
    SELECT * FROM (
      SELECT entry.id, entry.left_list_at IS NOT NULL AS returned,
        entry.source_id = ${sourceId} AND NOT EXISTS (SELECT FROM newsroom.entry_wording AS had
          WHERE had.entry_id = now.entry_id AND had.fingerprint = now.fingerprint) AS edited
      FROM unnest(${listed.map(({ entryId }) => entryId)}::uuid[],
        ${listed.map(({ fingerprint }) => fingerprint)}::bytea[]) AS now (entry_id, fingerprint)
      JOIN newsroom.entry ON entry.id = now.entry_id) AS listed
    WHERE edited OR returned`.execute(database);
  return {
    edited: new Set(rows.filter(({ edited }) => edited).map(({ id }) => id)),
    returned: rows.filter(({ returned }) => returned).map(({ id }) => id),
  };
}

/**
 * The dates stay unchanged, because publishers change the date of an edited entry. The outcome of the previous wording is
 * cleared, except for entries that an editor holds and entries of isolated sources.
 */
export async function reviseEntry(
  database: Database,
  wording: EntryWording & Pick<NewEntry, 'id' | 'pageDomain' | 'isDeclined'>,
): Promise<void> {
  const { id, title, text, language, pageDomain, isDeclined } = wording;
  const unlessHeld = (column: 'outcome' | 'outcome_reason' | 'outcome_at' | 'outcome_release') =>
    sql<string | null>`CASE WHEN ${isDeclined}::boolean OR outcome = 'held' THEN ${sql.ref(column)} END`;
  await database
    .updateTable('newsroom.entry')
    .set((set) => ({
      title,
      text,
      language,
      page_domain: pageDomain,
      revision: set('revision', '+', 1),
      outcome: unlessHeld('outcome'),
      outcome_reason: unlessHeld('outcome_reason'),
      outcome_at: unlessHeld('outcome_at'),
      outcome_release: unlessHeld('outcome_release'),
    }))
    .where('id', '=', id)
    .execute();
  await insertWordings(database, [wording]);
}

async function insertWordings(
  database: Database,
  wordings: readonly { readonly id: EntryId; readonly fingerprint: Buffer }[],
): Promise<void> {
  if (wordings.length === 0) return;
  await database
    .insertInto('newsroom.entry_wording')
    .values(wordings.map(({ id, fingerprint }) => ({ entry_id: id, fingerprint })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function markImported(
  database: Database,
  sourceId: SourceId,
  at: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('newsroom.source')
    .set({ imported_at: toTimestamptz(at) })
    .where('id', '=', sourceId)
    .execute();
}

/** An entry whose page has not been fetched yet. */
export interface EntryPage {
  readonly id: EntryId;
  readonly url: string;
  readonly title: string;
  readonly language: string | null;
  readonly textChars: number;
  /** The entry is missing from its list: the request only checks whether the page is gone. */
  readonly hasLeft: boolean;
  readonly revision: number;
  readonly spacingMs: number | null;
}

/** The next page of a domain after this entry, so that a postponed page is not requested twice in a row. */
export async function readNextPage(
  database: Database,
  domain: string,
  after: EntryId | null,
): Promise<EntryPage | null> {
  const row = await database
    .selectFrom('newsroom.entry as entry')
    .innerJoin('newsroom.source as source', 'source.id', 'entry.source_id')
    .select(['entry.id', 'entry.url', 'entry.title', 'entry.language', 'entry.revision', 'source.spacing_ms'])
    .select(sql<number>`length(entry.text)`.as('text_chars'))
    .select(sql<boolean>`entry.left_list_at IS NOT NULL`.as('has_left'))
    .where('entry.page_domain', '=', domain)
    .$if(after !== null, (query) => query.where('entry.id', '>', after ?? ''))
    .orderBy('entry.id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { url, title, language, revision, spacing_ms: spacingMs, text_chars: textChars } = row;
  return {
    id: row.id as EntryId,
    url,
    title,
    language,
    textChars,
    revision,
    spacingMs,
    hasLeft: row.has_left,
  };
}

/** Changes nothing if the entry was edited meanwhile: the page of the new revision is fetched next. */
export async function savePage(
  database: Database,
  { id, revision }: EntryPage,
  article: { readonly title: string; readonly text: string; readonly language: string | null } | null,
): Promise<void> {
  await database
    .updateTable('newsroom.entry')
    .set({ page_domain: null, ...article })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute();
}

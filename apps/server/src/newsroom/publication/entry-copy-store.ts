import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readRepeatedBlocks, withoutBlocks } from '../../ingest/boilerplate/index.ts';
import type { EntryId } from '../../ingest/index.ts';
import type { ItemCopy } from '../copy/writer.ts';

export interface EntryRevision {
  readonly entryId: EntryId;
  readonly revision: number;
}

/** Entries that a model must write about and that have no run yet, now marked as handed over. */
export async function handOverEntries(
  transaction: Transaction<DB>,
  now: EpochMicroseconds,
  countMax: number,
): Promise<readonly EntryRevision[]> {
  const { rows } = await sql<EntryRevision>`
    INSERT INTO newsroom.entry_copy AS known (entry_id, revision, handed_at)
    SELECT entry.id, entry.revision, ${toTimestamptz(now)}
    FROM newsroom.entry AS entry
    LEFT JOIN newsroom.entry_copy AS written ON written.entry_id = entry.id AND written.revision = entry.revision
    WHERE entry.shown_revision IS DISTINCT FROM entry.revision AND entry.outcome IS NULL
      AND entry.page_domain IS NULL AND entry.withdrawn_at IS NULL AND written.entry_id IS NULL
    ORDER BY entry.id LIMIT ${countMax} FOR UPDATE OF entry SKIP LOCKED
    ON CONFLICT (entry_id) DO UPDATE
      SET revision = excluded.revision, handed_at = excluded.handed_at, copy = NULL
    RETURNING entry_id AS "entryId", revision`.execute(transaction);
  return rows;
}

/** The input of a writer. */
export interface EntryToWrite {
  readonly title: string;
  readonly text: string;
  readonly language: string | null;
  readonly sourceName: string;
}

/** Null if the entry has another revision since. Text is truncated to this many characters. */
export async function readEntryToWrite(
  database: Database,
  { entryId, revision }: EntryRevision,
  textCharsMax: number,
): Promise<EntryToWrite | null> {
  const row = await database
    .selectFrom('newsroom.entry as entry')
    .innerJoin('newsroom.source as source', 'source.id', 'entry.source_id')
    .select(['entry.title', 'entry.language', 'source.id as sourceId', 'source.name as sourceName'])
    .select(sql<string>`left(entry.text, ${textCharsMax})`.as('text'))
    .where('entry.id', '=', entryId)
    .where('entry.revision', '=', revision)
    .where('entry.withdrawn_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { sourceId, text, ...entry } = row;
  const repeated = await readRepeatedBlocks(database, [sourceId]);
  return { ...entry, text: withoutBlocks(text, repeated.get(sourceId) ?? new Set()) };
}

/** Does nothing if the entry has another revision since. */
export async function saveCopy(
  transaction: Transaction<DB>,
  { entryId, revision }: EntryRevision,
  copy: ItemCopy,
): Promise<void> {
  await transaction
    .updateTable('newsroom.entry_copy')
    .set({ copy: JSON.stringify(copy) })
    .where('entry_id', '=', entryId)
    .where('revision', '=', revision)
    .execute();
}

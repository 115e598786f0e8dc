import type { Database } from '../../foundation/database/database.ts';
import type { SourceId } from '../sources/source.ts';
import type { EntryId } from './entry-store.ts';

/** What a list of a source names an entry by, in hex. */
export interface EntryKey {
  readonly sourceId: string;
  readonly key: string;
}

export async function readEntryKeys(
  database: Database,
  ids: readonly EntryId[],
): Promise<ReadonlyMap<EntryId, readonly EntryKey[]>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom('newsroom.entry_key')
    .select(['entry_id', 'source_id', 'key'])
    .where('entry_id', 'in', [...ids])
    .execute();
  const grouped = Map.groupBy(rows, (row) => row.entry_id as EntryId);
  return new Map(
    [...grouped].map(([id, found]) => [
      id,
      found.map((row) => ({ sourceId: row.source_id, key: row.key.toString('hex') })),
    ]),
  );
}

export async function entryExists(database: Database, id: EntryId): Promise<boolean> {
  const row = await database
    .selectFrom('newsroom.entry')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Their sources never land these entries. Keys of unknown sources and known keys are skipped. */
export async function excludeEntryKeys(database: Database, keys: readonly EntryKey[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = await database
    .selectFrom('newsroom.source')
    .select('id')
    .where('id', 'in', [...new Set(keys.map(({ sourceId }) => sourceId))])
    .execute();
  const known = new Set<string>(rows.map(({ id }) => id));
  const excluded = keys.filter(({ sourceId }) => known.has(sourceId));
  if (excluded.length === 0) return;
  await database
    .insertInto('newsroom.entry_key')
    .values(
      excluded.map(({ sourceId, key }) => ({
        source_id: sourceId as SourceId,
        key: Buffer.from(key, 'hex'),
        entry_id: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

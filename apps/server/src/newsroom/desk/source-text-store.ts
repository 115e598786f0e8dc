import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

/** The words that an item was written from. */
export interface SourceText {
  /** Null if the entry of the item is not stored, as for imported items. */
  readonly entry: { readonly title: string; readonly text: string } | null;
  readonly item: { readonly title: string; readonly summary: string };
  readonly at: EpochMicroseconds;
}

/** Of an entry that is not withdrawn, published or not. */
export async function readEntryText(database: Database, id: string): Promise<readonly SourceText[]> {
  const { rows } = await sql<{ title: string; text: string; at: string }>`
    SELECT title, text, coalesce(published_at, discovered_at) AS at FROM newsroom.entry
    WHERE id = ${id} AND withdrawn_at IS NULL`.execute(database);
  return rows.map(({ title, text, at }) => ({
    entry: { title, text },
    item: { title: '', summary: '' },
    at: fromTimestamptz(at),
  }));
}

/** Of items that are not withdrawn. */
export async function readSourceTexts(
  database: Database,
  itemIds: readonly Id<'item'>[],
): Promise<readonly SourceText[]> {
  return [...(await readSourceTextsById(database, itemIds)).values()];
}

/** The same, by item. */
export async function readSourceTextsById(
  database: Database,
  itemIds: readonly Id<'item'>[],
): Promise<ReadonlyMap<Id<'item'>, SourceText>> {
  const { rows } = await sql<{
    id: Id<'item'>;
    title: string;
    summary: string;
    entry_title: string | null;
    entry_text: string | null;
    at: string;
  }>`
    SELECT item.id, item.title, item.summary, entry.title AS entry_title, entry.text AS entry_text,
      coalesce(item.published_at, item.discovered_at) AS at
    FROM record.item LEFT JOIN newsroom.entry ON entry.id = item.id
    WHERE item.id = ANY(${[...itemIds]}::uuid[]) AND item.withdrawn_at IS NULL
    ORDER BY item.id`.execute(database);
  return new Map(
    rows.map(({ id, title, summary, entry_title, entry_text, at }) => [
      id,
      {
        entry: entry_title === null ? null : { title: entry_title, text: entry_text ?? '' },
        item: { title, summary },
        at: fromTimestamptz(at),
      },
    ]),
  );
}

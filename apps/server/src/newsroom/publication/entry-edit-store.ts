import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EntryId } from '../../ingest/index.ts';
import type { Category } from '../../record/index.ts';

/** The words of an editor for an entry that is not published; null: those of the rules. */
export type EntryWords = {
  readonly title: string | null;
  readonly summary: string | null;
  readonly category: Category | null;
  /** Why words are published that the article does not support; public. */
  readonly unverified: string | null;
};

export type EntryEdit = EntryWords & {
  /** It no longer waits because of its source. */
  readonly released: boolean;
};

/** Of the entry of a query. */
export const editOfEntry = sql<EntryEdit | null>`
  (SELECT to_jsonb(edit) - 'entry_id' FROM newsroom.entry_edit AS edit WHERE edit.entry_id = entry.id)`;

export async function saveEntryWords(
  transaction: Transaction<DB>,
  id: EntryId,
  { title, summary, category, unverified }: EntryWords,
): Promise<void> {
  await sql`
    INSERT INTO newsroom.entry_edit (entry_id, title, summary, category, unverified)
    VALUES (${id}, ${title}, ${summary}, ${category}, ${unverified})
    ON CONFLICT (entry_id) DO UPDATE SET title = excluded.title, summary = excluded.summary,
      category = excluded.category, unverified = excluded.unverified`.execute(transaction);
}

export async function markReleased(transaction: Transaction<DB>, id: EntryId): Promise<void> {
  await sql`
    INSERT INTO newsroom.entry_edit (entry_id, released) VALUES (${id}, true)
    ON CONFLICT (entry_id) DO UPDATE SET released = true`.execute(transaction);
}

/** They are published. */
export async function deleteEntryEdits(transaction: Transaction<DB>, ids: readonly EntryId[]): Promise<void> {
  await sql`DELETE FROM newsroom.entry_edit WHERE entry_id = ANY (${[...ids]}::uuid[])`.execute(transaction);
}

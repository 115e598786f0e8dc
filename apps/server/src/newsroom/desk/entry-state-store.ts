import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EntryEdit } from '../publication/entry-edit-store.ts';
import { editOfEntry } from '../publication/entry-edit-store.ts';
import type { EntryState } from './journal.ts';

interface EntryRow extends Omit<EntryState, 'kind' | 'words'> {
  readonly id: string;
  readonly edit: EntryEdit | null;
}

const iso = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const entryState = sql`
  SELECT entry.id, entry.title, EXISTS (SELECT FROM record.item WHERE item.id = entry.id) AS "isPublished",
    entry.outcome, entry.outcome_reason AS reason, ${iso('entry.outcome_at')} AS since,
    (SELECT state FROM newsroom.entry_hold WHERE entry_id = entry.id) AS hold,
    (SELECT ${iso('entry_hold.until')} FROM newsroom.entry_hold WHERE entry_id = entry.id) AS until,
    (SELECT coalesce(decision, 'open') FROM newsroom.entry_review WHERE entry_id = entry.id) AS review,
    ${editOfEntry} AS edit
  FROM newsroom.entry`;

/** Of entries that are not withdrawn. */
export async function readEntryStates(
  database: Database | Transaction<DB>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EntryState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<EntryRow>`${entryState}
    WHERE entry.id = ANY (${[...ids]}::uuid[]) AND entry.withdrawn_at IS NULL`.execute(database);
  return new Map(rows.map(({ id, edit, ...row }) => [id, { kind: 'entry', ...row, words: wordsOf(edit) }]));
}

function wordsOf(edit: EntryEdit | null): EntryState['words'] {
  if (edit === null) return null;
  const { title, summary, category, unverified } = edit;
  const isEdited = [title, summary, category].some((part) => part !== null);
  return isEdited ? { title, summary, category, unverified } : null;
}

/** Locks the entry first: a decision about it, or its publication, waits for the end of this transaction. */
export async function lockEntryState(transaction: Transaction<DB>, id: string): Promise<EntryState | null> {
  await sql`SELECT FROM newsroom.entry WHERE id = ${id} FOR UPDATE`.execute(transaction);
  return (await readEntryStates(transaction, [id])).get(id) ?? null;
}

import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { editions } from '../../record/index.ts';
import type { EditionOperation, OperationWords, SavedOperation } from './edition-operation.ts';

/**
 * Until the end of the transaction no other one changes the draft or publishes the edition. An operation is saved before
 * the edition is compiled, and is a part of it, or it finds the edition published.
 */
export async function lockDraft(
  transaction: Transaction<DB>,
  { kind, period }: editions.EditionKey,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`draft ${kind} ${period}`}, 0))`.execute(
    transaction,
  );
}

interface OperationRow {
  readonly id: string;
  readonly operation: EditionOperation;
  readonly words: OperationWords | null;
  readonly item_ids: readonly Id<'item'>[];
}

/** Those that were not undone, in the order in which they were saved. */
export async function readOperations(
  database: Database,
  { kind, period }: editions.EditionKey,
): Promise<readonly SavedOperation[]> {
  const { rows } = await sql<OperationRow>`
    SELECT saved.id::text, saved.operation, saved.words, saved.item_ids
    FROM newsroom.edition_operation AS saved
    WHERE saved.kind = ${kind} AND saved.period = ${period} AND saved.undoes IS NULL
      AND NOT EXISTS (SELECT FROM newsroom.edition_operation AS undo WHERE undo.undoes = saved.id)
    ORDER BY saved.id`.execute(database);
  return rows.map(({ id, operation, words, item_ids }) => ({ id, operation, words, itemIds: item_ids }));
}

/** Returns its id. */
export async function insertOperation(
  transaction: Transaction<DB>,
  { kind, period }: editions.EditionKey,
  { operation, words, itemIds }: Omit<SavedOperation, 'id'>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO newsroom.edition_operation (kind, period, operation, words, item_ids)
    VALUES (${kind}, ${period}, ${JSON.stringify(operation)}::jsonb, ${JSON.stringify(words)}::jsonb,
      ${[...itemIds]}::uuid[])
    RETURNING id::text`.execute(transaction);
  return rows[0]?.id ?? '';
}

export async function insertUndo(
  transaction: Transaction<DB>,
  { kind, period }: editions.EditionKey,
  operationId: string,
): Promise<void> {
  await sql`
    INSERT INTO newsroom.edition_operation (kind, period, operation, item_ids, undoes)
    VALUES (${kind}, ${period}, '{"op":"undo"}', '{}', ${operationId}::bigint)`.execute(transaction);
}

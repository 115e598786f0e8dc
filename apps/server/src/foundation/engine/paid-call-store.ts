import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB, Json } from '../database/generated/database-types.ts';

export type PaidOutcome = 'received' | 'failed' | 'unspent';

export interface PaidAttempt {
  readonly attempt: number;
  /** null: intended, with unknown result. */
  readonly outcome: PaidOutcome | null;
  readonly receipt: Json | null;
}

export interface PaidIntent {
  readonly key: string;
  readonly attempt: number;
  readonly workflowId: string;
  readonly epoch: number;
}

export async function readLastAttempt(
  transaction: Transaction<DB>,
  key: string,
): Promise<PaidAttempt | undefined> {
  const row = await transaction
    .selectFrom('foundation.paid_call')
    .select(['attempt', 'outcome', 'receipt'])
    .where('key', '=', key)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, outcome: row.outcome as PaidOutcome | null };
}

/** The unique key decides: of two intents for the same attempt, one fails here, before any money is spent. */
export async function insertIntent(transaction: Transaction<DB>, intent: PaidIntent): Promise<void> {
  await transaction
    .insertInto('foundation.paid_call')
    .values({
      key: intent.key,
      attempt: intent.attempt,
      workflow_id: intent.workflowId,
      epoch: intent.epoch,
    })
    .execute();
}

/** False if it was settled before: the transaction was retried after a broken connection. */
export async function settleIntent(
  transaction: Transaction<DB>,
  intent: PaidIntent,
  settled: { readonly outcome: PaidOutcome; readonly receipt: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('foundation.paid_call')
    .set({ ...settled, settled_at: sql<string>`clock_timestamp()` })
    .where('key', '=', intent.key)
    .where('attempt', '=', intent.attempt)
    .where('epoch', '=', intent.epoch)
    .where('outcome', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

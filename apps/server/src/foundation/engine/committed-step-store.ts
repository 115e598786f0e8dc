import type { Transaction } from 'kysely';

import type { DB, Json } from '../database/generated/database-types.ts';

export interface StepKey {
  readonly workflowId: string;
  readonly step: string;
}

export async function readCommittedStep(
  transaction: Transaction<DB>,
  key: StepKey,
): Promise<{ readonly output: Json | null } | undefined> {
  return transaction
    .selectFrom('foundation.committed_step')
    .select('output')
    .where('workflow_id', '=', key.workflowId)
    .where('step', '=', key.step)
    .executeTakeFirst();
}

/** A second commit of the same step fails here and rolls back its writes. */
export async function insertCommittedStep(
  transaction: Transaction<DB>,
  row: StepKey & { readonly epoch: number; readonly output: string },
): Promise<void> {
  await transaction
    .insertInto('foundation.committed_step')
    .values({ workflow_id: row.workflowId, step: row.step, epoch: row.epoch, output: row.output })
    .execute();
}

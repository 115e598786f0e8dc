import { sql } from 'kysely';

import type { Database } from '../database/database.ts';
import type { EditionInput, EditionSet, QueueDeclaration } from './engine-declarations.ts';
import { findEndedWorkflows, forgetWorkflows } from './workflow-history-store.ts';

const batchSize = 500;
const dayMs = 86_400_000;

const queue: QueueDeclaration = { name: 'engine-maintenance', runningMax: 1 };

/**
 * Once a day the engine forgets what ended long ago. An edition of its own, so that it happens once however many
 * processes there are; a day that was missed is not made up for.
 */
export function createHistoryCleanup(deps: {
  readonly database: Database;
  readonly keepDays: number;
}): EditionSet {
  const thanMs = deps.keepDays * dayMs;
  return {
    name: 'engine-history',
    due: (nowMs) => [Temporal.Instant.fromEpochMilliseconds(nowMs).toString().slice(0, 10)],
    workflow: {
      name: 'engine-history',
      queue,
      run: async (context, _input: EditionInput) => {
        const workflows = await context.step('workflows', () => cleanWorkflows(deps.database, thanMs));
        await context.step('own-rows', () => cleanOwnRows(deps.database, thanMs));
        return workflows;
      },
    },
  };
}

async function cleanWorkflows(database: Database, thanMs: number): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const ids = await findEndedWorkflows(database, { thanMs, limit: batchSize });
    if (ids.length === 0) return forgotten;
    forgotten += await database.transaction().execute((transaction) => forgetWorkflows(transaction, ids));
  }
}

/** A workflow may still come back to these rows, so they outlive it. */
async function cleanOwnRows(database: Database, thanMs: number): Promise<void> {
  const before = sql`clock_timestamp() - make_interval(secs => ${thanMs / 1000})`;
  const goneWorkflow = (table: 'committed_step' | 'paid_call') => sql`NOT EXISTS (
    SELECT FROM dbos.workflow_status w WHERE w.workflow_uuid = ${sql.ref(`foundation.${table}.workflow_id`)})`;
  await sql`DELETE FROM foundation.committed_step
    WHERE committed_at < ${before} AND ${goneWorkflow('committed_step')}`.execute(database);
  await sql`DELETE FROM foundation.paid_call
    WHERE intended_at < ${before} AND ${goneWorkflow('paid_call')}`.execute(database);
  await sql`DELETE FROM foundation.executor
    WHERE ended_at < ${before} AND NOT EXISTS (
      SELECT FROM dbos.workflow_status w WHERE w.status = 'PENDING' AND w.executor_id = 'epoch-' || epoch)`.execute(
    database,
  );
}

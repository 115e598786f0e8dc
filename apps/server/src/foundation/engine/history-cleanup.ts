import { dayMs } from '../clock.ts';
import type { CalendarClock } from '../clock.ts';
import { deleteInBatches } from '../database/batched-delete.ts';
import type { Database } from '../database/database.ts';
import type { RecurringTask } from './engine-declarations.ts';
import { removeAgedRows } from './engine-rows-store.ts';
import { findEndedWorkflows, forgetWorkflows } from './workflow-history-store.ts';

const batchSize = 500;

/** Deletes old history once a day. */
export function createHistoryCleanup(deps: {
  readonly database: Database;
  readonly clock: CalendarClock;
  readonly keepDays: number;
}): RecurringTask {
  // The engine stamps its rows in real time, in whole milliseconds.
  const thanMs = Math.round((deps.keepDays * dayMs) / deps.clock.speed);
  return {
    name: 'engine-history',
    every: 'day',
    run: async (context) => {
      const workflows = await context.step('workflows', () => cleanWorkflows(deps.database, thanMs));
      await context.step('own-rows', () => removeAgedRows(deps.database, thanMs));
      return workflows;
    },
  };
}

async function cleanWorkflows(database: Database, thanMs: number): Promise<number> {
  return deleteInBatches(
    async (limit) => {
      const ids = await findEndedWorkflows(database, { thanMs, limit });
      return database.transaction().execute((transaction) => forgetWorkflows(transaction, ids));
    },
    { rows: batchSize },
  );
}

import type { Database } from '../database/database.ts';
import type { RecurringTask } from '../engine/engine-declarations.ts';
import { removeExpiredLimits } from './strict-limit-store.ts';

/** Deletes the rows of inactive keys once an hour. */
export function createLimitCleanup(database: Database): RecurringTask {
  return {
    name: 'limit-cleanup',
    every: 'hour',
    run: (context) => context.step('remove', () => removeExpiredLimits(database)),
  };
}

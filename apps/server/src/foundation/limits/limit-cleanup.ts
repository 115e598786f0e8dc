import type { Database } from '../database/database.ts';
import type { RecurringTask } from '../engine/engine-declarations.ts';
import { removeExpiredLimits } from './strict-limit-store.ts';

/** Once an hour the rows of keys that were quiet are removed. */
export function createLimitCleanup(database: Database): RecurringTask {
  return {
    name: 'limit-cleanup',
    every: 'hour',
    run: (context) => context.step('remove', () => removeExpiredLimits(database)),
  };
}

import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { removeOldUsage } from './budget-store.ts';

/** Deletes usage and calls that no budget reads any more, once a day. */
export function createUsageCleanup({ database }: { readonly database: Database }): RecurringTask {
  return {
    name: 'agent-usage',
    every: 'day',
    run: (context) => context.step('remove', () => removeOldUsage(database)),
  };
}

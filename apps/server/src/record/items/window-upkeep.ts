import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { rollWindow } from './window-store.ts';

/** Creates partitions days ahead and drops expired ones, once an hour. */
export function createWindowUpkeep(deps: {
  readonly database: Database;
  readonly clock: Clock;
}): RecurringTask {
  return {
    name: 'window-upkeep',
    every: 'hour',
    run: (context) => context.step('roll', () => rollWindow(deps.database, deps.clock.now())),
  };
}

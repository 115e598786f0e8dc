import { dayMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { addMs } from '../../foundation/instant.ts';
import { thinRankingsBefore } from './ranking-store.ts';

/** More than a quarter. */
const fullDetailMs = 100 * dayMs;

/** Once a day: of rankings older than 100 days only the last of each hour is retained. */
export function createRankingUpkeep({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): RecurringTask {
  return {
    name: 'ranking-upkeep',
    every: 'day',
    run: (context) =>
      context.step('thin', () => {
        const before = addMs(clock.now(), -fullDetailMs);
        return deleteInBatches((rows) => thinRankingsBefore(database, before, rows));
      }),
  };
}

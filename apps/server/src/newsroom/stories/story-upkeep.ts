import type { Clock } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { addMs } from '../../foundation/instant.ts';
import { windowDays } from './place-report.ts';
import { lockStoryCorpus, removeOldReports } from './story-index-store.ts';

const dayMs = 86_400_000;
/** Publishers tell of things late: a day more than the window. */
const keepDays = windowDays + 1;
/** Small, because assigning waits meanwhile. */
const reportsPerBatch = 100;

interface UpkeepDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Every hour, reports that no new one can meet any more leave the index. */
export function createStoryUpkeep(deps: UpkeepDeps): RecurringTask {
  return {
    name: 'story-upkeep',
    every: 'hour',
    run: (context) => context.step('remove', () => removeSettledReports(deps)),
  };
}

export function removeSettledReports({ database, clock }: UpkeepDeps): Promise<number> {
  const before = addMs(clock.now(), -keepDays * dayMs);
  return deleteInBatches(
    (rows) =>
      database.transaction().execute(async (transaction) => {
        await lockStoryCorpus(transaction);
        return removeOldReports(transaction, before, rows);
      }),
    { rows: reportsPerBatch },
  );
}

import { setTimeout as delay } from 'node:timers/promises';

import { dayMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import { addMs } from '../../foundation/instant.ts';
import { windowDays } from './item-queries.ts';
import { forgottenAfterDays } from './matching/syndication.ts';
import { removeOldItems, tryPlacementTurn } from './story-index-store.ts';
import { deleteComparisonsBefore } from './syndication-store.ts';

/** Publishers report late: a day more than the window. */
const keepDays = windowDays + 1;
/** Small, because no items can be placed meanwhile. */
const itemsPerBatch = 100;
const turnEveryMs = 100;

interface StoryUpkeepDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Removes items that no new item can match any more from the index, every hour. */
export function createStoryUpkeep(deps: StoryUpkeepDeps): RecurringTask {
  return {
    name: 'story-upkeep',
    every: 'hour',
    run: async (context) => {
      await context.step('remove', () => removeSettledItems(deps));
      return context.step('forget-comparisons', () => forgetComparisons(deps));
    },
  };
}

/** Deletes the counts of owners whose texts have not been compared for long. */
function forgetComparisons({ database, clock }: StoryUpkeepDeps): Promise<number> {
  const before = addMs(clock.now(), -forgottenAfterDays * dayMs);
  return deleteInBatches((rows) => deleteComparisonsBefore(database, before, rows), { rows: itemsPerBatch });
}

/** Takes the placement lock between two batches of publication, which never waits for it. */
export function removeSettledItems({ database, clock }: StoryUpkeepDeps): Promise<number> {
  const before = addMs(clock.now(), -keepDays * dayMs);
  return deleteInBatches(
    async (rows) => {
      for (;;) {
        const removed = await database
          .transaction()
          .execute(async (transaction) =>
            (await tryPlacementTurn(transaction)) ? removeOldItems(transaction, before, rows) : null,
          );
        if (removed !== null) return removed;
        await delay(turnEveryMs);
      }
    },
    { rows: itemsPerBatch },
  );
}

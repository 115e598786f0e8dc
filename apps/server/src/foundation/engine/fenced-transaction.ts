import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import { retryConcurrentChanges } from '../database/concurrent-change.ts';
import type { Database } from '../database/database.ts';
import { isDatabaseUnreachable } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import type { EpochFence } from './epoch-fence.ts';

const attemptsMax = 20;
const retryDelayMs = 250;

export interface FencedDeps {
  readonly database: Database;
  readonly fence: EpochFence;
  readonly epoch: number;
}

/**
 * A transaction of this epoch. After a broken connection it is retried, although the first attempt may have
 * committed: `work` must recognize an earlier commit.
 */
export async function runFenced<Output>(
  deps: FencedDeps,
  work: (transaction: Transaction<DB>) => Promise<Output>,
): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryConcurrentChanges(deps.database, () =>
        deps.database.transaction().execute(async (transaction) => {
          await deps.fence(transaction);
          return work(transaction);
        }),
      );
    } catch (error) {
      if (attempt === attemptsMax || !isDatabaseUnreachable(error)) throw error;
      await delay(retryDelayMs);
    }
  }
}

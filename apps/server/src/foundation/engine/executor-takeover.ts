import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { endEpoch, findOrphanedExecutors, findUnlockedEpochs } from './executor-store.ts';

export interface TakeoverDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly epoch: number;
  /** How long a lock must be seen free, without a break, before its holder counts as dead. */
  readonly graceMs: number;
  readonly monotonicMs: () => number;
  /** Puts the running workflows of these executors back into their queues. */
  readonly recover: (executors: readonly string[]) => Promise<number>;
}

/**
 * Looks for dead executors and takes their work over. What was seen is kept in memory only: whoever lost its own
 * session, as after a restart of the database, begins to watch anew and so gives everyone the whole grace to return.
 */
export function createTakeover(deps: TakeoverDeps): () => Promise<void> {
  let freeSince = new Map<number, number>();
  return async () => {
    const now = deps.monotonicMs();
    const unlocked = (await findUnlockedEpochs(deps.database)).filter((epoch) => epoch !== deps.epoch);
    freeSince = new Map(unlocked.map((epoch) => [epoch, freeSince.get(epoch) ?? now]));
    for (const [epoch, since] of freeSince) {
      if (now - since < deps.graceMs) continue;
      if (await endEpoch(deps.database, epoch, deps.epoch)) {
        deps.logger.warn({ epoch, by: deps.epoch }, 'an executor is gone; its work is taken over');
      }
    }
    const orphaned = await findOrphanedExecutors(deps.database);
    if (orphaned.length === 0) return;
    const workflows = await deps.recover(orphaned);
    if (workflows > 0) deps.logger.info({ orphaned, workflows }, 'workflows put back into their queues');
  };
}

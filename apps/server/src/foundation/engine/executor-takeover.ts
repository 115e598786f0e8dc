import type { Database } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { endEpoch, findLostEpochs, noteFreeLocks, returnOrphanedWorkflows } from './executor-store.ts';

export interface TakeoverDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly epoch: number;
  /** How long a lock must be free before its holder counts as dead. */
  readonly graceMs: number;
}

/**
 * Finds dead executors and takes over their work. The database stores and measures since when a lock is free; after
 * a restart of PostgreSQL the time starts again, which gives every executor the whole grace period to return.
 */
export function createTakeover(deps: TakeoverDeps): () => Promise<void> {
  return async () => {
    await noteFreeLocks(deps.database);
    for (const epoch of await findLostEpochs(deps.database, deps.graceMs)) {
      if (await endEpoch(deps.database, epoch, deps.epoch)) {
        deps.logger.warn({ epoch, by: deps.epoch }, 'an executor ended; taking over its work');
      }
    }
    const workflows = await returnOrphanedWorkflows(deps.database);
    if (workflows.length > 0) {
      deps.logger.info({ workflows: workflows.length }, 'workflows put back into their queues');
    }
  };
}

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
 * Looks for dead executors and takes their work over. Since when a lock is free is kept in the database and measured
 * there; after a restart of PostgreSQL it is noted anew, which gives everyone the whole grace to return.
 */
export function createTakeover(deps: TakeoverDeps): () => Promise<void> {
  return async () => {
    await noteFreeLocks(deps.database);
    for (const epoch of await findLostEpochs(deps.database, deps.graceMs)) {
      if (await endEpoch(deps.database, epoch, deps.epoch)) {
        deps.logger.warn({ epoch, by: deps.epoch }, 'an executor is gone; its work is taken over');
      }
    }
    const workflows = await returnOrphanedWorkflows(deps.database);
    if (workflows.length > 0) {
      deps.logger.info({ workflows: workflows.length }, 'workflows put back into their queues');
    }
  };
}

import type { Logger } from '../logger.ts';
import { executorName } from './executor-store.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import { runFenced } from './fenced-transaction.ts';
import {
  adoptWorkflows,
  findAbandonedWorkflows,
  returnLostClaims,
  returnUnknownWorkflows,
  routeNewWork,
} from './workflow-release-store.ts';
import type { DeclaredWork } from './workflow-release.ts';

const adoptedAtOnceMax = 500;

/**
 * Continues work of every release. While a process of the release that began a workflow runs, it continues the
 * workflow. When none is left, any process that knows the workflow continues it: in the same version after the
 * finished steps, in another one from the start, with the results of committed transactions and paid calls.
 */
export function createWorkflowAdoption(
  deps: FencedDeps & { readonly logger: Logger; readonly running: ReadonlySet<string> },
  { versions, release }: Pick<DeclaredWork, 'versions' | 'release'>,
): () => Promise<void> {
  const executor = executorName(deps.epoch);
  return async () => {
    const unknown = await returnUnknownWorkflows(deps.database, { executor, versions });
    if (unknown.length > 0) deps.logger.warn({ unknown }, 'workflows of another release put back');
    const lost = await returnLostClaims(deps.database, executor, [...deps.running]);
    if (lost.length > 0) deps.logger.warn({ lost }, 'requeued workflows that were claimed and never started');
    await routeNewWork(deps.database);
    const adopted = await runFenced(deps, async (transaction) => {
      const found = await findAbandonedWorkflows(transaction, versions, adoptedAtOnceMax);
      const all = found.map(({ id }) => id);
      const restarted = found
        .filter(({ name, begunByVersion }) => begunByVersion !== versions[name])
        .map(({ id }) => id);
      if (all.length > 0) await adoptWorkflows(transaction, release, { all, restarted });
      return { all, restarted };
    });
    if (adopted.all.length > 0) {
      const counts = { workflows: adopted.all.length, restarted: adopted.restarted.length };
      deps.logger.info(counts, 'continuing workflows of an earlier release');
    }
  };
}

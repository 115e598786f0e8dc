import { isDeepStrictEqual } from 'node:util';

import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../hash.ts';
import type {
  AnyWorkflow,
  EditionSet,
  EngineDeclarations,
  QueueDeclaration,
  Sweep,
} from './engine-declarations.ts';
import type { WorkflowVersions } from './executor-store.ts';
import { editionSetOf } from './recurring-task.ts';

/** Everything one process runs. */
export interface DeclaredWork {
  readonly workflows: readonly AnyWorkflow[];
  readonly queues: readonly QueueDeclaration[];
  readonly editions: readonly EditionSet[];
  readonly sweeps: readonly Sweep[];
  /** Workflows whose failed runs only the engine restarts: those of no edition. */
  readonly restarted: readonly string[];
  readonly versions: WorkflowVersions;
  /** The same for all processes that know the same workflows in the same versions. */
  readonly release: string;
}

/** Merges the declarations of all domains, and refuses contradictions. */
export function collectDeclarations(declared: readonly EngineDeclarations[]): DeclaredWork {
  const editions = declared.flatMap((one) => [
    ...(one.editions ?? []),
    ...(one.recurringTasks ?? []).map(editionSetOf),
  ]);
  const sweeps = declared.flatMap((one) => one.sweeps ?? []);
  requireDistinctNames('edition set', editions);
  requireDistinctNames('sweep', sweeps);
  const ofEditions = new Set<AnyWorkflow>(editions.map((set) => set.workflow));
  const enqueued = declared.flatMap((one) => one.workflows ?? []);
  const workflows = [...new Set<AnyWorkflow>([...enqueued, ...ofEditions])];
  requireDistinctNames('workflow', workflows);
  const versions = Object.fromEntries(workflows.map(({ name, version }) => [name, version ?? 1]));
  return {
    workflows,
    queues: collectQueues(workflows),
    editions,
    sweeps,
    restarted: enqueued.filter((workflow) => !ofEditions.has(workflow)).map(({ name }) => name),
    versions,
    release: sha256(canonicalJson(versions)).slice(0, 16),
  };
}

function requireDistinctNames(kind: string, named: readonly { readonly name: string }[]): void {
  for (const [name, same] of Map.groupBy(named, (one) => one.name)) {
    if (same.length > 1) throw new Error(`${kind} ${name} is declared twice`);
  }
}

function collectQueues(workflows: readonly AnyWorkflow[]): readonly QueueDeclaration[] {
  const queues = new Map<string, QueueDeclaration>();
  for (const { queue } of workflows) {
    const same = queues.get(queue.name);
    if (same !== undefined && !isDeepStrictEqual(same, queue)) {
      throw new Error(`queue ${queue.name} is declared with two sets of limits`);
    }
    queues.set(queue.name, queue);
  }
  return [...queues.values()];
}

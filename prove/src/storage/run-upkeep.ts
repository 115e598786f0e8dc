import type { WorkflowContext } from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import { createStorageUpkeep } from '../../../apps/server/src/storage/index.ts';

type UpkeepDeps = Parameters<typeof createStorageUpkeep>[0];

/** All that a worker does for the storage, once. Each step is tried, whatever became of the one before. */
export async function runUpkeep(
  deps: UpkeepDeps,
  onFailure: (step: string, error: unknown) => void,
): Promise<void> {
  const step = (name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> =>
    work(new AbortController().signal).catch((error: unknown) => onFailure(name, error));
  await createStorageUpkeep(deps).run({ step } as WorkflowContext);
}

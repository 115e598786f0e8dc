import type {
  SweepContext,
  WorkflowContext,
} from '../../../apps/server/src/foundation/engine/engine-declarations.ts';
import { createDerivationSweep } from '../../../apps/server/src/storage/derived/derive-contents.ts';
import { createInspectionSweep } from '../../../apps/server/src/storage/inspection/inspect-blobs.ts';
import { createStorageUpkeep } from '../../../apps/server/src/storage/storage-upkeep.ts';

type StorageWorkDeps = Parameters<typeof createStorageUpkeep>[0];

/** All that a worker does for the storage every five minutes, once. */
export async function runUpkeep(deps: StorageWorkDeps): Promise<void> {
  const step = (_name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> =>
    work(new AbortController().signal);
  await createStorageUpkeep(deps).run({ step } as WorkflowContext);
}

/** Inspects all contents that are due, as a worker does every two seconds. */
export async function runInspection(deps: StorageWorkDeps): Promise<void> {
  await createInspectionSweep({ ...deps, scan: null }).run(sweepContext(deps));
}

/** After the inspection: reads the text of contents, as a worker does every two seconds. */
export async function runTextReading(deps: StorageWorkDeps, signal?: AbortSignal): Promise<void> {
  await createDerivationSweep(deps).run(sweepContext(deps, signal));
}

/** The same again and again, with what a worker remembers between two times. */
export function createTextReading(deps: StorageWorkDeps): () => Promise<void> {
  const sweep = createDerivationSweep(deps);
  return () => sweep.run(sweepContext(deps));
}

function sweepContext(
  { database }: StorageWorkDeps,
  signal: AbortSignal = new AbortController().signal,
): SweepContext {
  const context: Pick<SweepContext, 'transaction' | 'signal'> = {
    transaction: (work) => database.transaction().execute(work),
    signal,
  };
  return context as SweepContext;
}

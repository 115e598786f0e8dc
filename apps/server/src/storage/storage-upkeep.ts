import { shares } from '../access/index.ts';
import { transientCause } from '../foundation/database/transient-error.ts';
import type { EngineDeclarations, RecurringTask } from '../foundation/engine/engine-declarations.ts';
import { createDerivationSweep, queueEarlierContents } from './derived/derive-contents.ts';
import { createCompleteScanner } from './inspection/complete-scans.ts';
import { createInspectionSweep } from './inspection/inspect-blobs.ts';
import { rescanBlobs } from './inspection/rescan-blobs.ts';
import { removeEndedLinks } from './links/change-links.ts';
import type { StorageDeps } from './storage-deps.ts';
import { emptyTrash, removeGarbage, removeOldVersions } from './trash/empty-trash.ts';
import { discardLeftovers, finishUploads } from './uploads/finish-uploads.ts';
import { releaseIdleSpace } from './uploads/reservations.ts';

export type StorageWorkDeps = Pick<StorageDeps, 'database' | 'clock' | 'ids' | 'bucket' | 'settings'>;

/** The background work of storage: upkeep and content inspection. */
export function createStorageWork(deps: StorageWorkDeps): EngineDeclarations {
  const { scanner } = deps.settings;
  const scan = scanner === null ? null : createCompleteScanner(scanner);
  return {
    recurringTasks: [createStorageUpkeep(deps)],
    sweeps: [createInspectionSweep({ ...deps, scan }), createDerivationSweep(deps)],
  };
}

/** Every five minutes: completes unfinished work and removes expired data. */
export function createStorageUpkeep(deps: StorageWorkDeps): RecurringTask {
  return {
    name: 'storage-upkeep',
    every: { minutes: 5 },
    run: async (context) => {
      const faults: unknown[] = [];
      // A failing step does not stop the others: the error is thrown at the end. The engine repeats a step after a
      // transient error.
      const step = (name: string, work: (deps: StorageWorkDeps) => Promise<unknown>): Promise<unknown> =>
        context.step(name, () =>
          work(deps).catch((error: unknown) => {
            if (transientCause(error) !== null) throw error;
            faults.push(error);
          }),
        );
      await step('uploads', finishUploads);
      await step('reservations', releaseIdleSpace);
      await step('leftovers', discardLeftovers);
      await step('trash', emptyTrash);
      await step('versions', removeOldVersions);
      await step('rescans', rescanBlobs);
      await step('texts', queueEarlierContents);
      await step('links', removeEndedLinks);
      await step('shares', ({ database }) => shares.deleteEndedShares(database, null));
      await step('garbage', removeGarbage);
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} steps failed`);
    },
  };
}

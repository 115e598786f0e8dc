import type { RecurringTask } from '../foundation/engine/engine-declarations.ts';
import { emptyTrash, removeGarbage, removeOldVersions } from './files/empty-trash.ts';
import { removeEndedLinks } from './links/change-links.ts';
import type { StorageDeps } from './storage-deps.ts';
import { discardLeftovers, finishUploads } from './uploads/finish-uploads.ts';

export type UpkeepDeps = Pick<StorageDeps, 'database' | 'clock' | 'ids' | 'bucket' | 'settings'>;

/** The worker's share: every five minutes what is unfinished is finished, and what is over is removed. */
export function createStorageUpkeep(deps: UpkeepDeps): RecurringTask {
  return {
    name: 'storage-upkeep',
    every: { minutes: 5 },
    run: async (context) => {
      await context.step('uploads', () => finishUploads(deps));
      await context.step('leftovers', () => discardLeftovers(deps));
      await context.step('trash', () => emptyTrash(deps));
      await context.step('versions', () => removeOldVersions(deps));
      await context.step('links', () => removeEndedLinks(deps));
      await context.step('garbage', () => removeGarbage(deps));
    },
  };
}

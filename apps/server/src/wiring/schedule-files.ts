import type { ScheduleFiles } from '../agents/schedules/index.ts';
import type { StorageDeps } from '../storage/index.ts';
import { uploads } from '../storage/index.ts';

/** Where scheduled questions write their answers, with the permissions of the caller. */
export function createScheduleFiles(storage: StorageDeps): ScheduleFiles {
  return {
    isProject: (organization, projectId) => uploads.isLiveProject(storage, organization, projectId),
    requireWritable: (caller, projectId, name) =>
      uploads.requireWritableProject(storage, { caller, projectId, name }),
    reserve: (caller, file) => uploads.reserveWrittenFile(storage, { caller, ...file }),
    store: (caller, uploadId, content, signal) =>
      uploads.storeWrittenFile(storage, { caller, uploadId, content, signal }),
    settle: (caller, uploadId) => uploads.settleWrittenFile(storage, { caller, uploadId }),
  };
}

import { ProblemError } from '../../foundation/problem.ts';
import { partsOfStaged } from '../bucket/bucket.ts';
import { isGarbage } from '../files/garbage-store.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { graceEndsBefore } from '../storage-deps.ts';
import { completeUpload, abandonUpload } from './complete-upload.ts';
import { findUpload, findUploadOfBlob, lockUpload, selectUnfinished } from './upload-store.ts';
import type { UploadId } from './upload.ts';
import { stagedUploadAction } from './upload.ts';

type FinishDeps = Pick<StorageDeps, 'database' | 'clock' | 'ids' | 'bucket' | 'settings'>;

const rowsMax = 500;

/**
 * Completes uploads that a crash left between the bytes and their file, and abandons expired ones. A failing upload
 * does not stop the others: a killed S3 gateway refuses to complete an upload for minutes.
 */
export async function finishUploads(deps: FinishDeps): Promise<number> {
  const ids = await selectUnfinished(deps.database, deps.clock.now(), rowsMax);
  const faults: unknown[] = [];
  for (const id of ids) await finish(deps, id).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} uploads could not be finished`);
  return ids.length;
}

async function finish(deps: FinishDeps, id: UploadId): Promise<void> {
  const upload = await findUpload(deps.database, id);
  if (upload?.state === 'completing') {
    await completeUpload(deps, upload, null).catch((error: unknown) => {
      // Its place was taken meanwhile: it was abandoned, and its client gets that error.
      if (!(error instanceof ProblemError)) throw error;
    });
    return;
  }
  await deps.database.transaction().execute(async (transaction) => {
    const present = await lockUpload(transaction, id);
    if (present?.state === 'open' && present.expiresAt <= deps.clock.now())
      await abandonUpload(transaction, present, deps.clock.now());
  });
}

/**
 * Discards bytes of requests that ended with their process, once their upload no longer waits for any, and uploads
 * that an S3 server still lists as staged although they were published.
 */
export async function discardLeftovers(deps: FinishDeps): Promise<number> {
  const { database, bucket } = deps;
  const faults: unknown[] = [];
  let discarded = 0;
  for await (const name of bucket.staged()) {
    const action = stagedUploadAction(await findUploadOfBlob(database, partsOfStaged(name).key), name);
    if (action === 'waiting') continue;
    const done = action === 'published' ? discardPublished(deps, name) : bucket.discard(name);
    await done.then(
      () => (discarded += 1),
      (error: unknown) => faults.push(error),
    );
  }
  if (faults.length > 0)
    throw new AggregateError(faults, `${faults.length} leftovers could not be discarded`);
  return discarded;
}

async function discardPublished(deps: FinishDeps, name: string): Promise<void> {
  const { database, bucket } = deps;
  const { key } = partsOfStaged(name);
  await bucket.discardPublished(name);
  // An object that was removed meanwhile may have been restored by it.
  if (await isGarbage(database, key, graceEndsBefore(deps))) await bucket.remove(key);
}

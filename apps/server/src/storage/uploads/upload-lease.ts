import { ProblemError } from '../../foundation/problem.ts';
import type { StorageDeps } from '../storage-deps.ts';
import type { HeldUpload, TakenUpload } from './resumable-store.ts';
import { releaseUpload, renewUpload, takeUpload } from './resumable-store.ts';
import { uploadLocked } from './tus-problems.ts';
import type { UploadId } from './upload.ts';

/** Longer than a process may pause without losing its lease; the maximum wait for a dead writer. */
const leaseMs = 20_000;
const renewEveryMs = 5_000;

export interface UploadLease extends Extract<TakenUpload, { readonly taken: true }> {
  /** Aborted when another writer has taken the upload, or it no longer waits for bytes. */
  readonly signal: AbortSignal;
  /** Reports progress: without it the lease expires, so that no client waits for a dead connection. */
  readonly touch: () => void;
}

/**
 * The right of one request at a time to write to an upload, in any process. It is a lease in the row with a growing
 * number: through a pooler no lock outlives a transaction, and a process that was frozen past its lease finds its
 * number outdated at each of its writes to the row.
 */
export async function withUploadLease<Result>(
  { database }: Pick<StorageDeps, 'database'>,
  id: UploadId,
  work: (lease: UploadLease) => Promise<Result>,
): Promise<Result> {
  const taken = await database.transaction().execute((transaction) => takeUpload(transaction, id, leaseMs));
  if (!taken.taken) throw locked();
  const { held } = taken;
  const lost = new AbortController();
  let moved = true;
  const renew = async (): Promise<void> => {
    if (!moved) return;
    moved = false;
    if (!(await renewUpload(database, held, leaseMs))) lost.abort(locked());
  };
  // If the database is unreachable, the next renewal or the next saved bytes will fail.
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs);
  const touch = (): void => {
    moved = true;
  };
  try {
    return await work({ ...taken, signal: lost.signal, touch });
  } finally {
    clearInterval(timer);
    // If this fails, the lease expires.
    await releaseUpload(database, held).catch(() => {});
  }
}

/** Also the error for a writer that is too late. */
export function requireHeld(isHeld: boolean, held: HeldUpload): void {
  if (!isHeld) throw locked(`fence ${held.fence} is over`);
}

function locked(cause?: string): ProblemError {
  return new ProblemError(uploadLocked, 'Another request is writing to this upload.', {
    retryAfterSeconds: 1,
    cause,
  });
}

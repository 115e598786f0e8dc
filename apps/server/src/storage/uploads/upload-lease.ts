import { ProblemError } from '../../foundation/problem.ts';
import type { StorageDeps } from '../storage-deps.ts';
import type { HeldUpload, TakenUpload } from './resumable-store.ts';
import { releaseUpload, renewUpload, takeUpload } from './resumable-store.ts';
import { uploadLocked } from './tus-problems.ts';
import type { UploadId } from './upload.ts';

/** Longer than a process may pause without being taken for dead; whoever waits for its end waits so long at most. */
const leaseMs = 20_000;
const renewEveryMs = 5_000;

export interface UploadLease extends Extract<TakenUpload, { readonly taken: true }> {
  /** Aborted when another has taken the upload, or it no longer waits for bytes. */
  readonly signal: AbortSignal;
  /** Something moved: without it the lease ends, so that nobody waits for a connection that is dead. */
  readonly touch: () => void;
}

/**
 * The right to write to an upload, which one request has at a time, whatever process it came to. It is a lease in the
 * row with a number that grows: through a pooler no lock outlives a transaction, and a process that was frozen past
 * its lease finds that its number no longer counts, at each of its writes to the row.
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
  // Where the database is unreachable the next try, or the next bytes that are kept, will tell.
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs);
  const touch = (): void => {
    moved = true;
  };
  try {
    return await work({ ...taken, signal: lost.signal, touch });
  } finally {
    clearInterval(timer);
    // Where this fails the lease ends by itself.
    await releaseUpload(database, held).catch(() => {});
  }
}

/** What a writer that is too late is told, too. */
export function requireHeld(isHeld: boolean, held: HeldUpload): void {
  if (!isHeld) throw locked(`fence ${held.fence} is over`);
}

function locked(cause?: string): ProblemError {
  return new ProblemError(uploadLocked, 'Another request is writing to this upload.', {
    retryAfterSeconds: 1,
    cause,
  });
}

import { Readable } from 'node:stream';

import type { Clock } from '../../foundation/clock.ts';
import type { OpenStream } from '../../foundation/http/open-stream.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Entry } from '../folders/entry.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { checksumMismatch, contradicts } from '../storage-problems.ts';
import { completeUpload, completeWhole, abandonUpload } from './complete-upload.ts';
import type { NewUpload } from './reserve-upload.ts';
import { requireStillCreating, requireUpload, reserveUpload } from './reserve-upload.ts';
import { findUpload, lockUpload, markCompleting } from './upload-store.ts';
import type { Upload, UploadId } from './upload.ts';
import { isAbandoned } from './upload.ts';

/**
 * The bytes of a reservation, all in one request. A request that fails leaves the upload open, to be sent again; one that
 * is repeated after the upload was completed is answered with the file, and its bytes are not read.
 */
export async function receiveContent(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly uploadId: string;
    readonly stream: OpenStream;
    readonly contentLength: number | null;
  },
): Promise<Entry> {
  const { stream, contentLength, client } = request;
  const upload = await requireUpload(deps, request.caller, request.uploadId);
  requireUsable(deps, upload);
  if (upload.state !== 'open') return completeUpload(deps, upload, client);
  await requireStillCreating(deps, request.caller, upload);
  if (contentLength !== null) requireSize(upload, contentLength);
  const { name, sha256 } = await send(deps, upload, stream, deps.bucket.stage);
  if (isUnexpected(upload, sha256)) {
    await deps.bucket.discard(name);
    throw otherBytes();
  }
  const first = await deps.database
    .transaction()
    .execute((transaction) => markCompleting(transaction, upload, { name, sha256 }));
  if (!first) await deps.bucket.discard(name);
  return completeUpload(deps, (await findUpload(deps.database, upload.id)) ?? upload, client);
}

/**
 * Reservation and bytes in one request. Nobody else knows the upload, so nobody else writes to its key: the bytes go
 * there at once, and nothing need be marked before the file is made. After a crash in between, the row still waits for
 * bytes; it is given up like any other, and what lies under its key goes with the garbage.
 */
export async function storeContent(
  deps: StorageDeps,
  request: StorageRequest & { readonly upload: NewUpload; readonly stream: OpenStream },
): Promise<Entry> {
  const upload = await reserveUpload(deps, request);
  try {
    const { sha256 } = await send(deps, upload, request.stream, deps.bucket.put);
    if (isUnexpected(upload, sha256)) {
      await deps.bucket.remove(upload.blobKey);
      throw otherBytes();
    }
    return await completeWhole(deps, upload, sha256, request.client);
  } catch (error) {
    // What cannot be repeated need not keep its room for a day.
    await abandon(deps, upload.id).catch(() => {});
    throw error;
  }
}

async function send<Sent>(
  { clock }: StorageDeps,
  upload: Upload,
  stream: OpenStream,
  to: (key: string, content: { body: Readable; size: number }, signal: AbortSignal) => Promise<Sent>,
): Promise<Sent> {
  const body = Readable.from(exactlyAsAnnounced(clock, upload, stream.body()), { objectMode: false });
  return to(upload.blobKey, { body, size: upload.size }, stream.signal).catch((error: unknown) => {
    // Why the body ended early is what the client should hear, not that the pipe behind it broke.
    throw stream.signal.aborted ? stream.signal.reason : error;
  });
}

function isUnexpected({ expectedSha256 }: Upload, sha256: Buffer): boolean {
  return expectedSha256?.equals(sha256) === false;
}

function otherBytes(): ProblemError {
  return new ProblemError(checksumMismatch, 'The content does not match its declared SHA-256.');
}

/** For the methods that send all at once or past us. */
export function requireUsable({ clock }: Pick<StorageDeps, 'clock'>, upload: Upload): void {
  requireWaiting(clock, upload);
  if (upload.received !== null) throw contradicts('this upload was begun with tus: go on there');
}

function requireWaiting(clock: Clock, upload: Upload): void {
  if (isAbandoned(upload, clock.now())) throw contradicts('the upload was abandoned: begin another');
}

/**
 * Whoever sends more than was reserved is stopped there, not after filling the disk; too few bytes are none. None goes
 * on to the bucket once the upload's time is over: its row may go before they arrive.
 */
async function* exactlyAsAnnounced(clock: Clock, upload: Upload, body: Readable): AsyncGenerator<Buffer> {
  let arrived = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    requireWaiting(clock, upload);
    arrived += chunk.length;
    if (arrived > upload.size) requireSize(upload, arrived);
    yield chunk;
  }
  requireSize(upload, arrived);
}

function requireSize({ size }: Upload, arrived: number): void {
  if (arrived === size) return;
  throw new ProblemError(checksumMismatch, `Expected ${size} bytes, received ${arrived}.`);
}

/** For who does not want to send the bytes after all. One that is completed stays so. */
export async function cancelUpload(
  deps: StorageDeps,
  request: StorageRequest & { readonly uploadId: string },
): Promise<void> {
  const { id } = await requireUpload(deps, request.caller, request.uploadId);
  await abandon(deps, id);
}

async function abandon(deps: Pick<StorageDeps, 'database' | 'clock'>, id: UploadId): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    const upload = await lockUpload(transaction, id);
    if (upload?.state === 'completing' || upload?.state === 'completed')
      throw contradicts('all its bytes have arrived: delete the file instead');
    if (upload?.state === 'open') await abandonUpload(deps, transaction, upload);
  });
}

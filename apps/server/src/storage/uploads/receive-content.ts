import { Readable } from 'node:stream';

import type { OpenStream } from '../../foundation/http/open-stream.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Entry } from '../folders/entry.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { checksumMismatch, contradicts } from '../storage-problems.ts';
import { completeUpload, giveUp } from './complete-upload.ts';
import { requireStillCreating, requireUpload } from './reserve-upload.ts';
import { findUpload, lockUpload, markCompleting } from './upload-store.ts';
import type { Upload } from './upload.ts';
import { isAbandoned } from './upload.ts';

/**
 * The simple method: all bytes in one request. A request that fails leaves the upload open, to be sent again; one that
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
  const body = Readable.from(exactlyAsAnnounced(upload, stream.body()), { objectMode: false });
  const { name, sha256 } = await deps.bucket
    .stage(upload.blobKey, { body, size: upload.size }, stream.signal)
    .catch((error: unknown) => {
      // Why the body ended early is what the client should hear, not that the pipe behind it broke.
      throw stream.signal.aborted ? stream.signal.reason : error;
    });
  if (upload.expectedSha256?.equals(sha256) === false) {
    await deps.bucket.discard(name);
    throw new ProblemError(checksumMismatch, 'the SHA-256 of the bytes is another than was announced');
  }
  const first = await deps.database
    .transaction()
    .execute((transaction) => markCompleting(transaction, upload, { name, sha256 }));
  if (!first) await deps.bucket.discard(name);
  return completeUpload(deps, (await findUpload(deps.database, upload.id)) ?? upload, client);
}

/** For the methods that send all at once or past us. */
export function requireUsable({ clock }: Pick<StorageDeps, 'clock'>, upload: Upload): void {
  if (isAbandoned(upload, clock.now())) throw contradicts('the upload was abandoned: begin another');
  if (upload.received !== null) throw contradicts('this upload was begun with tus: go on there');
}

/** Whoever sends more than was reserved is stopped there, not after filling the disk; too few bytes are none. */
async function* exactlyAsAnnounced(upload: Upload, body: Readable): AsyncGenerator<Buffer> {
  let arrived = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    arrived += chunk.length;
    if (arrived > upload.size) requireSize(upload, arrived);
    yield chunk;
  }
  requireSize(upload, arrived);
}

function requireSize({ size }: Upload, arrived: number): void {
  if (arrived === size) return;
  throw new ProblemError(checksumMismatch, `${size} bytes were announced, these are ${arrived}`);
}

/** For who does not want to send the bytes after all. One that is completed stays so. */
export async function abandonUpload(
  deps: StorageDeps,
  request: StorageRequest & { readonly uploadId: string },
): Promise<void> {
  const { id } = await requireUpload(deps, request.caller, request.uploadId);
  await deps.database.transaction().execute(async (transaction) => {
    const upload = await lockUpload(transaction, id);
    if (upload?.state === 'completing' || upload?.state === 'completed')
      throw contradicts('all its bytes have arrived: delete the file instead');
    if (upload?.state === 'open') await giveUp(deps, transaction, upload);
  });
}

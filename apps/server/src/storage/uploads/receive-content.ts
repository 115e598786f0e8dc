import { Readable } from 'node:stream';

import type { Clock } from '../../foundation/clock.ts';
import type { OpenStream } from '../../foundation/http/open-stream.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { createMeter } from '../bucket/measured-body.ts';
import type { Entry } from '../folders/entry.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { checksumMismatch, contradicts } from '../storage-problems.ts';
import { completeUpload, completeWhole, abandonUpload } from './complete-upload.ts';
import { createActivity, holdReservation } from './reservations.ts';
import type { NewUpload } from './reserve-upload.ts';
import { requireCancellable, requireStillCreating, requireUpload, reserveUpload } from './reserve-upload.ts';
import { findUpload, lockUpload, markCompleting } from './upload-store.ts';
import type { Upload, UploadId } from './upload.ts';
import { isAbandoned } from './upload.ts';

/**
 * The bytes of a reservation in one request. A failed request leaves the upload open for another attempt; a repeated
 * request after completion gets the file, if it has the same bytes.
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
  if (upload.state !== 'open') {
    await requireSameBytes(upload, stream, contentLength);
    return completeUpload(deps, upload, client);
  }
  await requireStillCreating(deps, request.caller, upload);
  if (contentLength !== null) requireSize(upload, contentLength);
  await holdReservation(deps, upload);
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

/** A repeated request has the bytes of the first. Without a known hash, the size decides. */
async function requireSameBytes(
  { size, sha256 }: Upload,
  stream: OpenStream,
  contentLength: number | null,
): Promise<void> {
  const { measure, received } = createMeter();
  let arrived = 0;
  if (contentLength === null || contentLength === size)
    for await (const chunk of measure(stream.body() as AsyncIterable<Buffer>))
      if ((arrived += chunk.length) > size) break;
  if (arrived === size && (sha256 === null || sha256.equals(received().sha256))) return;
  throw contradicts('The upload was completed with other content. Create another upload.');
}

/**
 * Reservation and bytes in one request. No other client knows the upload, so no other writes to its key: the bytes are
 * stored there directly, and no state is written before the file is created. After a crash in between, the row still
 * waits for bytes; it expires like any other, and the object of its key is removed as garbage.
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
    // An upload that cannot be retried need not reserve its space for a day.
    await abandon(deps, upload.id).catch(() => {});
    throw error;
  }
}

async function send<Sent>(
  deps: StorageDeps,
  upload: Upload,
  stream: OpenStream,
  to: (key: string, content: { body: Readable; size: number }, signal: AbortSignal) => Promise<Sent>,
): Promise<Sent> {
  const body = Readable.from(exactlyAsAnnounced(deps, upload, stream.body()), { objectMode: false });
  return to(upload.blobKey, { body, size: upload.size }, stream.signal).catch((error: unknown) => {
    // The client should get the reason why the body ended early, not the broken pipe behind it.
    throw stream.signal.aborted ? stream.signal.reason : error;
  });
}

function isUnexpected({ expectedSha256 }: Upload, sha256: Buffer): boolean {
  return expectedSha256?.equals(sha256) === false;
}

function otherBytes(): ProblemError {
  return new ProblemError(checksumMismatch, 'The content does not match its declared SHA-256.');
}

/** For the methods that send everything at once or directly to the bucket. */
export function requireUsable({ clock }: Pick<StorageDeps, 'clock'>, upload: Upload): void {
  requireWaiting(clock, upload);
  if (upload.received !== null) throw contradicts('This upload was created with tus. Continue it with tus.');
}

function requireWaiting(clock: Clock, upload: Upload): void {
  if (isAbandoned(upload, clock.now()))
    throw contradicts('The upload was cancelled or has expired. Create another upload.');
}

/**
 * Stops a body at the reserved size, before it fills the disk; a body that is too short is refused. Nothing is sent to
 * the bucket after the upload has expired: its row may be deleted before the bytes arrive.
 */
async function* exactlyAsAnnounced(
  deps: StorageDeps,
  upload: Upload,
  body: Readable,
): AsyncGenerator<Buffer> {
  const noteActivity = createActivity(deps, upload);
  let arrived = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    requireWaiting(deps.clock, upload);
    await noteActivity(chunk.length);
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

/** Abandons an upload. A completed one stays completed. */
export async function cancelUpload(
  deps: StorageDeps,
  request: StorageRequest & { readonly uploadId: string },
): Promise<void> {
  const { id } = await requireCancellable(deps, request.caller, request.uploadId);
  await abandon(deps, id);
}

async function abandon(deps: Pick<StorageDeps, 'database' | 'clock'>, id: UploadId): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    const upload = await lockUpload(transaction, id);
    if (upload?.state === 'completing' || upload?.state === 'completed')
      throw contradicts('The upload is complete. Delete the file instead.');
    if (upload?.state === 'open') await abandonUpload(transaction, upload, deps.clock.now());
  });
}

import { Readable } from 'node:stream';

import { callers } from '../../access/index.ts';
import { payloadTooLarge } from '../../foundation/http/http-problems.ts';
import type { OpenStream } from '../../foundation/http/open-stream.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Kept } from '../bucket/bucket.ts';
import { createMeter } from '../bucket/measured-body.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { completeInTime } from './complete-upload.ts';
import { cancelUpload } from './receive-content.ts';
import { createActivity, holdReservation } from './reservations.ts';
import type { NewUpload } from './reserve-upload.ts';
import { requireStillCreating, requireUpload, reserveUpload } from './reserve-upload.ts';
import { saveStagedName, saveStored, saveTail, readTail } from './resumable-store.ts';
import { offsetMismatch, uploadGone } from './tus-problems.ts';
import type { UploadLease } from './upload-lease.ts';
import { requireHeld, withUploadLease } from './upload-lease.ts';
import { findUpload, markCompleting } from './upload-store.ts';
import type { Upload } from './upload.ts';
import { isAbandoned } from './upload.ts';

export type ResumableUpload = Upload & { readonly received: number };
type UploadRequest = StorageRequest & { readonly uploadId: string };

/** Reserves the space and appends the first bytes. An empty file is completed at once, since no bytes follow. */
export async function beginResumable(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly upload: Omit<NewUpload, 'isResumable'>;
    readonly first: { readonly stream: OpenStream; readonly contentLength: number };
  },
): Promise<ResumableUpload> {
  const { first } = request;
  requireFit({ received: 0, size: request.upload.size }, 0, first.contentLength);
  const wanted = { ...request.upload, isResumable: true };
  const upload = await reserveUpload(deps, { ...request, upload: wanted });
  if (first.contentLength > 0)
    return appendFirst(deps, { ...request, ...first, uploadId: upload.id, offset: 0 });
  if (upload.size > 0) return { ...upload, received: 0 };
  const empty = { body: Readable.from([]), size: 0 };
  const staged = await deps.bucket.stage(upload.blobKey, empty, new AbortController().signal);
  await deps.database.transaction().execute((transaction) => markCompleting(transaction, upload, staged));
  return requireResumable(await completeInTime(deps, upload, request.client));
}

/** The client of a failed request does not know the address of the upload: it creates another one. */
async function appendFirst(
  deps: StorageDeps,
  request: Parameters<typeof appendContent>[1],
): Promise<ResumableUpload> {
  return appendContent(deps, request).catch(async (error: unknown) => {
    // An upload that has all bytes or was abandoned cannot be cancelled.
    await cancelUpload(deps, request).catch(() => {});
    throw error;
  });
}

/** The progress of an upload. If all bytes are stored, the upload is completed first. */
export async function readResumable(deps: StorageDeps, request: UploadRequest): Promise<ResumableUpload> {
  const upload = await enterResumable(deps, request);
  if (upload.state !== 'completing') return upload;
  return requireResumable(await completeInTime(deps, upload, request.client));
}

/**
 * Appends bytes, and with the last of them completes the upload. Bytes saved before the request, the process or the
 * machine ended count; the client reads the offset and continues.
 */
export async function appendContent(
  deps: StorageDeps,
  request: UploadRequest & {
    readonly stream: OpenStream;
    readonly offset: number;
    readonly contentLength: number;
  },
): Promise<ResumableUpload> {
  const { offset, contentLength, client } = request;
  const known = await enterResumable(deps, request);
  requireFit(known, offset, contentLength);
  if (known.state === 'open' && contentLength > 0) {
    await requireStillCreating(deps, request.caller, known);
    await holdReservation(deps, known);
    await withUploadLease(deps, known.id, async (lease) => {
      requireFit(requireResumable(lease.upload), offset, contentLength);
      await append(deps, lease, { stream: request.stream, from: offset, to: offset + contentLength });
    });
  }
  const upload = requireResumable((await findUpload(deps.database, known.id)) ?? known);
  if (upload.state !== 'completing') return upload;
  return requireResumable(await completeInTime(deps, upload, client));
}

async function append(
  deps: StorageDeps,
  lease: UploadLease,
  { stream, from, to }: { readonly stream: OpenStream; readonly from: number; readonly to: number },
): Promise<void> {
  const { upload, held, touch } = lease;
  const name = await stagedNameFor(deps, lease, from);
  const isWhole = from === 0 && to === upload.size;
  const { measure, received } = createMeter();
  const body = watched(stream.body() as AsyncIterable<Buffer>, touch);
  const noteActivity = createActivity(deps, upload, from);
  let saved = from;
  const keep = async (kept: Kept): Promise<void> => {
    touch();
    const sha256 = isWhole && kept.size === upload.size ? hashIfExpected(upload, received().sha256) : null;
    const isHeld = await deps.database
      .transaction()
      .execute((transaction) =>
        kept.kind === 'tail'
          ? saveTail(transaction, held, kept)
          : saveStored(transaction, held, upload, { ...kept, sha256 }),
      );
    requireHeld(isHeld, held);
    await noteActivity(kept.size - saved);
    saved = kept.size;
  };
  const content = {
    body: isWhole ? measure(body) : body,
    from,
    to,
    total: upload.size,
    tail: () => readTail(deps.database, upload.id),
    keep,
  };
  await deps.bucket.appending
    .append(name, content, AbortSignal.any([stream.signal, lease.signal]))
    .catch((error: unknown) => {
      // The client should get the reason, not the broken pipe behind it.
      if (lease.signal.aborted) throw lease.signal.reason;
      throw stream.signal.aborted ? stream.signal.reason : error;
    });
}

/** If the bytes differ from the announced hash, none is set: completing reads and refuses them. */
function hashIfExpected({ expectedSha256 }: Upload, sha256: Buffer): Buffer | null {
  return expectedSha256?.equals(sha256) === false ? null : sha256;
}

/** A new name if the previous writer may still be running. */
async function stagedNameFor(
  { bucket, database }: StorageDeps,
  { upload, held, isTakenOver, touch }: UploadLease,
  size: number,
): Promise<string> {
  const { stagedName: before, blobKey } = upload;
  if (before !== null && !isTakenOver) return before;
  // A folder copies the existing bytes, which takes longer than a lease for some gigabytes.
  const copying = setInterval(touch, 1_000);
  try {
    const name =
      before === null ? await bucket.appending.begin(blobKey) : await bucket.appending.takeOver(before, size);
    if (name === before) return name;
    const isHeld = await saveStagedName(database, held, name);
    const unused = isHeld ? before : name;
    if (unused !== null) await bucket.discard(unused);
    requireHeld(isHeld, held);
    return name;
  } finally {
    clearInterval(copying);
  }
}

async function* watched(body: AsyncIterable<Buffer>, touch: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    touch();
    yield chunk;
  }
}

async function enterResumable(deps: StorageDeps, request: UploadRequest): Promise<ResumableUpload> {
  const upload = requireResumable(await requireUpload(deps, request.caller, request.uploadId));
  if (isAbandoned(upload, deps.clock.now()))
    throw new ProblemError(uploadGone, 'The upload was cancelled. Start a new upload.');
  return upload;
}

function requireResumable(upload: Upload): ResumableUpload {
  const { received } = upload;
  if (received === null) throw callers.notFoundOrHidden();
  return { ...upload, received };
}

function requireFit(
  { received, size }: Pick<ResumableUpload, 'received' | 'size'>,
  offset: number,
  contentLength: number,
): void {
  if (offset !== received)
    throw new ProblemError(offsetMismatch, `Expected offset ${received}, received ${offset}.`);
  if (offset + contentLength > size)
    throw new ProblemError(payloadTooLarge, `Expected ${size - offset} bytes, received ${contentLength}.`);
}

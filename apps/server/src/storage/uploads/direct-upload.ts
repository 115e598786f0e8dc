import { invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { DirectTransfer, Part } from '../bucket/bucket.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { partAddressSeconds, partBytes } from '../storage-deps.ts';
import { checksumMismatch, contradicts, requireDirect } from '../storage-problems.ts';
import { completeInTime } from './complete-upload.ts';
import { requireUsable } from './receive-content.ts';
import { holdReservation, noteParts } from './reservations.ts';
import { requireStillCreating, requireUpload } from './reserve-upload.ts';
import { findUpload, markCompleting, markParted } from './upload-store.ts';
import type { Upload } from './upload.ts';

type UploadRequest = StorageRequest & { readonly uploadId: string };

/** The parts of an upload; an empty one has one too. */
export function partsOf(size: number): readonly Part[] {
  const count = Math.max(1, Math.ceil(size / partBytes));
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    size: Math.min(partBytes, size - index * partBytes),
  }));
}

export interface SignedPart extends Part {
  readonly url: string;
  readonly md5: string | null;
}

/**
 * Presigned URLs for parts, valid for a quarter of an hour; another request renews them. A part may be sent again until
 * the upload is completed; after that its URLs are useless.
 */
export async function signParts(
  deps: StorageDeps,
  request: UploadRequest & {
    readonly parts: readonly { readonly number: number; readonly md5: string | null }[];
  },
): Promise<{ readonly expiresAt: EpochMicroseconds; readonly parts: readonly SignedPart[] }> {
  const direct = requireDirect(deps.bucket);
  const upload = await requireUpload(deps, request.caller, request.uploadId);
  requireUsable(deps, upload);
  if (upload.state !== 'open') throw contradicts('The content of the upload is complete.');
  await requireStillCreating(deps, request.caller, upload);
  const all = partsOf(upload.size);
  const wanted = request.parts.map(({ number, md5 }) => {
    const part = all[number - 1];
    if (part === undefined) throw invalidField('parts', `must be from 1 to ${all.length}`);
    return { ...part, md5 };
  });
  await noteParts(deps, direct, upload);
  await holdReservation(deps, upload);
  const name = await beginParts(deps, direct, upload);
  const expiresAt = addMs(deps.clock.now(), partAddressSeconds * 1_000);
  const parts = await Promise.all(
    wanted.map(async (part) => ({ ...part, url: await direct.signPart(name, part, partAddressSeconds) })),
  );
  return { expiresAt, parts };
}

/** One of several concurrent starts is stored in the row, and all continue with it. */
async function beginParts(deps: StorageDeps, direct: DirectTransfer, upload: Upload): Promise<string> {
  if (upload.stagedName !== null) return upload.stagedName;
  const name = await direct.begin(upload.blobKey);
  if (await markParted(deps.database, upload, name)) return name;
  await deps.bucket.discard(name);
  const present = await findUpload(deps.database, upload.id);
  if (present?.state !== 'open' || present.stagedName === null)
    throw contradicts('The upload was completed or cancelled.');
  return present.stagedName;
}

/** The received parts, as listed by the bucket: where a client continues after an interruption. */
export async function listArrivedParts(
  deps: StorageDeps,
  request: UploadRequest,
): Promise<readonly (Part & { readonly arrived: boolean })[]> {
  const direct = requireDirect(deps.bucket);
  const upload = await requireUpload(deps, request.caller, request.uploadId);
  requireUsable(deps, upload);
  const all = partsOf(upload.size);
  if (upload.state !== 'open') return all.map((part) => ({ ...part, arrived: true }));
  const arrived = upload.stagedName === null ? [] : await direct.arrivedParts(upload.stagedName);
  return all.map((part) => ({ ...part, arrived: arrived.some((one) => isSame(one, part)) }));
}

/** Continues like every upload, from the row. */
export async function completeParts(deps: StorageDeps, request: UploadRequest): Promise<Upload> {
  const direct = requireDirect(deps.bucket);
  const upload = await requireUpload(deps, request.caller, request.uploadId);
  requireUsable(deps, upload);
  if (upload.state === 'open') {
    await requireStillCreating(deps, request.caller, upload);
    const { stagedName: name } = upload;
    if (name === null) throw contradicts('No part was uploaded. Request URLs for the parts first.');
    requireAll(upload, await direct.arrivedParts(name));
    await holdReservation(deps, upload);
    await deps.database
      .transaction()
      .execute((transaction) => markCompleting(transaction, upload, { name, sha256: null }));
  }
  return completeInTime(deps, upload, request.client);
}

function requireAll({ size }: Upload, arrived: readonly Part[]): void {
  const missing = partsOf(size).filter((part) => !arrived.some((one) => isSame(one, part)));
  if (missing.length === 0) return;
  const numbers = missing.slice(0, 20).map(({ number }) => number);
  throw new ProblemError(checksumMismatch, `Missing parts: ${numbers.join(', ')}.`);
}

function isSame(one: Part, other: Part): boolean {
  return one.number === other.number && one.size === other.size;
}

import type { Transaction } from 'kysely';

import type { AuditEvent } from '../../audit/index.ts';
import { recordAuditEvent, defineAuditKind } from '../../audit/index.ts';
import { waitForCommits } from '../../foundation/database/commit-wait.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { ReplacedPart } from '../bucket/bucket.ts';
import { measureStored } from '../bucket/measured-body.ts';
import { changeUsage } from '../files/usage-store.ts';
import { condemnBlobs, saveHash, removeVersions } from '../files/version-store.ts';
import {
  findEntry,
  findLineage,
  findLiveSibling,
  insertEntry,
  lockEntry,
  updateEntry,
} from '../folders/entry-store.ts';
import type { Entry, EntryId, FileContent } from '../folders/entry.ts';
import { isMatch } from '../folders/entry.ts';
import { entryActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { lateBytesMs, sparedSince, versionsMax } from '../storage-deps.ts';
import { checksumMismatch, contradicts, preconditionFailed, raiseNameTaken } from '../storage-problems.ts';
import { insertNewFile } from './new-file-store.ts';
import { growReservation } from './reservations.ts';
import { findUpload, saveContent, lockUploadInTree, markAbandoned } from './upload-store.ts';
import type { Upload } from './upload.ts';

export const fileStored = defineAuditKind('file_stored', (word) => `You uploaded “${word('name')}”.`);

type CompleteDeps = Pick<StorageDeps, 'database' | 'clock' | 'ids' | 'bucket' | 'settings'>;

/**
 * Continues from the state in the row, for any caller: the client's request, its retry, or the worker's sweep. First
 * the bucket (publishing is idempotent), then the file, its version, the usage and the audit event in one
 * transaction. If the place is no longer free, the upload is abandoned in that same transaction.
 */
export async function completeUpload(
  deps: CompleteDeps,
  known: Upload,
  /** Null for the worker, if the client sent all bytes and then lost its connection. */
  client: StorageRequest['client'] | null,
  /** Stops reading content for its hash; another attempt starts over. */
  signal = new AbortController().signal,
): Promise<Entry> {
  const { state, stagedName } = known;
  let fault: ProblemError | null = null;
  if (state === 'completing' && stagedName !== null) {
    fault = await publish(deps, known, stagedName);
    if (fault === null && known.sha256 === null) fault = await checkPublished(deps, known, signal);
  }
  return createFileFromUpload(deps, known, { waitsFor: 'completing', fault }, client);
}

/** For bytes that are stored under their key, with a known hash; the row still waits for them. */
export async function completeWhole(
  deps: CompleteDeps,
  upload: Upload,
  sha256: Buffer,
  client: StorageRequest['client'],
): Promise<Entry> {
  const made = upload.ifMatch === null ? await enterNewFile(deps, { ...upload, sha256 }, client) : null;
  return made ?? createFileFromUpload(deps, upload, { waitsFor: 'open', sha256 }, client);
}

/** The common case. Null for all others. */
async function enterNewFile(
  deps: CompleteDeps,
  upload: Upload,
  client: StorageRequest['client'],
): Promise<Entry | null> {
  const file = newFileOf(upload, deps.ids.next(), deps.clock.now());
  const content = contentOf(deps, upload, 1);
  const ids = { version: deps.ids.next<'version'>(), event: deps.ids.next<'audit event'>() };
  const event = eventOf(upload, file, { version: 1, at: file.createdAt, client });
  if (!(await insertNewFile(deps.database, upload, file, content, ids, event))) return null;
  await waitForCommits(deps.database);
  return { ...file, content };
}

type Arrived =
  | { readonly waitsFor: 'completing'; readonly fault: ProblemError | null }
  | { readonly waitsFor: 'open'; readonly sha256: Buffer };

async function createFileFromUpload(
  deps: CompleteDeps,
  { id }: Upload,
  arrived: Arrived,
  client: StorageRequest['client'] | null,
): Promise<Entry> {
  const outcome = await deps.database.transaction().execute(async (transaction) => {
    const upload = await lockUploadInTree(transaction, id);
    if (upload?.state === 'completed' && upload.fileId !== null) return upload.fileId;
    if (upload?.state !== arrived.waitsFor)
      throw contradicts(`The state of the upload is ${upload?.state ?? 'unknown'}. Start a new upload.`);
    try {
      if (arrived.waitsFor === 'completing' && arrived.fault !== null) throw arrived.fault;
      const { sha256 } = arrived.waitsFor === 'open' ? arrived : upload;
      return await storeFile(deps, transaction, { ...upload, sha256 }, client);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await abandonUpload(transaction, upload, deps.clock.now());
      return error;
    }
  });
  if (outcome instanceof ProblemError) throw outcome;
  await waitForCommits(deps.database);
  if (typeof outcome !== 'string') return outcome;
  const file = await findEntry(deps.database, outcome);
  if (file === null) throw contradicts('The file was deleted after the upload.');
  return file;
}

/** Returns why the staged content is not the received one, if so. */
async function publish(
  { bucket }: CompleteDeps,
  { partTags }: Upload,
  name: string,
): Promise<ProblemError | null> {
  try {
    await (partTags.length === 0 ? bucket.publish(name) : bucket.publish(name, partTags));
    return null;
  } catch (error) {
    if (!(error instanceof ReplacedPart)) throw error;
    return new ProblemError(checksumMismatch, 'The stored content is damaged. Start a new upload.');
  }
}

/**
 * Content without a hash is read once if a hash was announced; otherwise a worker reads it later. Returns the reason if
 * it differs from the announcement.
 */
async function checkPublished(
  { bucket, database }: CompleteDeps,
  upload: Upload,
  signal: AbortSignal,
): Promise<ProblemError | null> {
  const { blobKey, expectedSha256 } = upload;
  const found =
    expectedSha256 === null
      ? { size: await bucket.sizeOf(blobKey), sha256: null }
      : await measureStored(bucket, blobKey, signal);
  if (found.size !== upload.size || (found.sha256 !== null && expectedSha256?.equals(found.sha256) === false))
    return new ProblemError(checksumMismatch, 'The content does not match its declared SHA-256.');
  if (found.sha256 !== null) await saveHash(database, upload.projectId, blobKey, found.sha256);
  return null;
}

/** Part of the 30 s of a whole request. */
const hashingMs = 20_000;

/**
 * For a request. Returns the upload: completed, or still completing if reading it for its hash takes longer than a
 * request may; the worker then completes it.
 */
export async function completeInTime(
  deps: CompleteDeps,
  upload: Upload,
  client: StorageRequest['client'],
): Promise<Upload> {
  const bound = AbortSignal.timeout(hashingMs);
  const present = async (): Promise<Upload> => (await findUpload(deps.database, upload.id)) ?? upload;
  await completeUpload(deps, await present(), client, bound).catch((error: unknown) => {
    if (!bound.aborted || error instanceof ProblemError) throw error;
  });
  return present();
}

async function storeFile(
  deps: CompleteDeps,
  transaction: Transaction<DB>,
  upload: Upload,
  client: StorageRequest['client'] | null,
): Promise<Entry> {
  const { organization, size } = upload;
  const now = deps.clock.now();
  await growReservation(deps, transaction, upload);
  const place = await findPlace(transaction, deps, upload, now);
  const { created, version } = place;
  const file = created ? place.file : { ...place.file, updatedAt: now };
  const name = created
    ? await insertEntry(
        transaction,
        { ...file, createdBy: upload.createdBy, version },
        upload.ifTaken === 'rename' ? 'rename' : 'refuse',
      )
    : await updateEntry(transaction, file, { version }, now);
  const content = contentOf(deps, upload, version);
  await saveContent(transaction, upload, { id: deps.ids.next(), fileId: file.id, at: now, ...content });
  const pruned = await pruneVersions(transaction, upload, file, version - versionsMax, now);
  const event = eventOf(upload, { ...file, name }, { version, at: now, client });
  await recordAuditEvent(transaction, deps.ids, { ...event, accountId: upload.createdBy });
  await changeUsage(transaction, organization.id, { used: size - pruned, reserved: -size });
  return { ...file, name, content };
}

function eventOf(
  { id, organization, projectId }: Upload,
  file: Pick<Entry, 'id' | 'name'>,
  { version, at, client }: Pick<AuditEvent, 'at' | 'client'> & { readonly version: number },
): Omit<AuditEvent, 'accountId'> {
  const detail = { fileId: file.id, projectId, name: file.name, version, uploadId: id };
  return { kind: fileStored, at, client, organizationId: organization.id, detail };
}

function newFileOf(
  { projectId, organization, folderId, name }: Upload,
  id: EntryId,
  now: EpochMicroseconds,
): Entry {
  const place = { id, projectId, organization, parentId: folderId };
  const times = { createdAt: now, updatedAt: now, trashedAt: null };
  return { ...place, kind: 'file', name, content: null, ...times };
}

function contentOf({ settings }: CompleteDeps, upload: Upload, version: number): FileContent {
  const { size, mediaType, sha256, blobKey, createdBy: storedBy } = upload;
  const scanState = settings.scanner === null ? 'unscanned' : 'waiting';
  return { version, size, mediaType, detectedMediaType: null, scanState, storedBy, sha256, blobKey };
}

/** Returns the bytes that are no longer used. */
async function pruneVersions(
  transaction: Transaction<DB>,
  { createdBy }: Upload,
  { projectId, id }: Entry,
  number: number,
  now: EpochMicroseconds,
): Promise<number> {
  const sparing = { othersThan: createdBy, since: sparedSince(now) };
  return number < 1 ? 0 : removeVersions(transaction, { projectId, ids: [id] }, { number, sparing }, now);
}

/** A new file, or the next version of the file with this name. */
async function findPlace(
  transaction: Transaction<DB>,
  { ids }: Pick<StorageDeps, 'ids'>,
  upload: Upload,
  now: EpochMicroseconds,
): Promise<{ readonly file: Entry; readonly version: number; readonly created: boolean }> {
  const { projectId, folderId, name, ifTaken, ifMatch } = upload;
  const { folders, trashed } = await findLineage(transaction, projectId, folderId);
  if (trashed || (folderId !== null && folders.length === 0))
    throw contradicts('The folder was deleted. Upload to another folder.');
  const there = ifTaken === 'version' ? await findLiveSibling(transaction, projectId, folderId, name) : null;
  if (there === null) {
    if (ifMatch !== null) throw new ProblemError(preconditionFailed, 'The file no longer exists.');
    return { file: newFileOf(upload, ids.next(), now), version: 1, created: true };
  }
  // Of two concurrent new versions the second must see the first.
  const present = await lockEntry(transaction, there);
  if (present === null || present.trashedAt !== null)
    throw contradicts('The file was deleted during the upload.');
  const { content } = present;
  if (content === null) raiseNameTaken(name);
  // Another account may have stored a file of this name since the reservation.
  if (upload.mayReplace === false && upload.replaces !== present.id)
    throw new ProblemError(
      forbidden,
      `“${name}” was stored meanwhile. Replacing it requires ${entryActions.file.update.text}.`,
    );
  if (ifMatch !== null && !isMatch(ifMatch, content))
    throw new ProblemError(preconditionFailed, 'The file has changed.');
  return { file: present, version: content.version + 1, created: false };
}

/**
 * Releases the space. The bytes, if any, are removed as garbage, once no more bytes can arrive in the bucket: until
 * then the row names them.
 */
export async function abandonUpload(
  transaction: Transaction<DB>,
  upload: Upload,
  now: EpochMicroseconds,
): Promise<void> {
  await markAbandoned(transaction, upload);
  await condemnBlobs(transaction, upload.projectId, [upload.blobKey], addMs(now, lateBytesMs));
  await changeUsage(transaction, upload.organization.id, { reserved: -upload.reserved });
}

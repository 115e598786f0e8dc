import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Transaction } from 'kysely';

import { recordAuditEvent, defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { ReplacedPart } from '../bucket/bucket.ts';
import { createMeter } from '../bucket/measured-body.ts';
import { changeUsage } from '../files/usage-store.ts';
import { condemnBlobs, insertVersion, markStored, removeVersions } from '../files/version-store.ts';
import {
  findEntry,
  findLineage,
  findLiveSibling,
  insertEntry,
  lockEntry,
  updateEntry,
} from '../folders/entry-store.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import { entityTagOf } from '../folders/entry.ts';
import { shareTree } from '../projects/project-store.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { versionsMax } from '../storage-deps.ts';
import { checksumMismatch, contradicts, preconditionFailed, raiseNameTaken } from '../storage-problems.ts';
import { findUpload, keepHash, lockUpload, markAbandoned, markCompleted } from './upload-store.ts';
import type { Upload } from './upload.ts';

export const fileStored = defineAuditKind('file_stored', (word) => `You stored the file “${word('name')}”.`);

type CompleteDeps = Pick<StorageDeps, 'database' | 'clock' | 'ids' | 'bucket' | 'settings'>;

/**
 * Goes on from what the row says, whoever calls: the client's request, its next try, or the worker's sweep. First the
 * bucket (publishing twice changes nothing), then the file, its version, the usage and the audit event in one
 * transaction. Where the place is no longer free, the upload is given up in that same transaction.
 */
export async function completeUpload(
  deps: CompleteDeps,
  known: Upload,
  /** Null: the worker, for whoever sent all the bytes and then lost their connection. */
  client: StorageRequest['client'] | null,
  /** Ends the reading of bytes that came past us; another try begins it again. */
  signal = new AbortController().signal,
): Promise<Entry> {
  const { id, state, stagedName } = known;
  let fault: ProblemError | null = null;
  if (state === 'completing' && stagedName !== null) {
    fault = await publish(deps, known, stagedName);
    if (fault === null && known.sha256 === null) fault = await hashPublished(deps, known, signal);
  }
  const outcome = await deps.database.transaction().execute(async (transaction) => {
    const upload = await lockUpload(transaction, id);
    if (upload?.state === 'completed' && upload.fileId !== null) return upload.fileId;
    if (upload?.state !== 'completing') throw contradicts(`the upload is ${upload?.state ?? 'gone'}`);
    await shareTree(transaction, upload.projectId);
    try {
      if (fault !== null) throw fault;
      return await storeFile(deps, transaction, upload, client);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await giveUp(deps, transaction, upload);
      return error;
    }
  });
  if (outcome instanceof ProblemError) throw outcome;
  const file = await findEntry(deps.database, outcome);
  if (file === null) throw contradicts('the file has been removed since');
  return file;
}

/** Answers why what waits is not what was received, where that is so. */
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
    return new ProblemError(checksumMismatch, 'the bytes are not those that were received: begin again');
  }
}

/** What was not hashed on its way is read once: its hash is not for the sender to say. Answers why it is not what was announced. */
async function hashPublished(
  { bucket, database }: CompleteDeps,
  upload: Upload,
  signal: AbortSignal,
): Promise<ProblemError | null> {
  const { measure, received } = createMeter();
  const body = await bucket.open(upload.blobKey, null, signal);
  await pipeline(body, measure, new Writable({ write: (_chunk, _encoding, done) => done() }), { signal });
  const { size, sha256 } = received();
  if (size !== upload.size || upload.expectedSha256?.equals(sha256) === false)
    return new ProblemError(checksumMismatch, 'the bytes are not those that were announced');
  await keepHash(database, upload, sha256);
  return null;
}

/** Of the 30 s that a whole request has. */
const hashingMs = 20_000;

/**
 * For a request. Answers the upload: completed, or still completing where reading it for its hash takes longer than a
 * request has; the worker then completes it.
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
): Promise<EntryId> {
  const { projectId, organization, createdBy } = upload;
  const now = deps.clock.now();
  const { fileId, number, name, created } = await findPlace(transaction, deps, upload);
  const storedAs = created
    ? await insertEntry(
        transaction,
        {
          id: fileId,
          projectId,
          parentId: upload.folderId,
          kind: 'file',
          name,
          createdAt: now,
          createdBy,
          version: number,
        },
        upload.ifTaken === 'rename' ? 'rename' : 'refuse',
      )
    : await updateEntry(transaction, { id: fileId, projectId, name }, { version: number }, now);
  const { blobKey, mediaType } = upload;
  await insertVersion(transaction, {
    projectId,
    fileId,
    number,
    blobKey,
    mediaType,
    createdBy,
    id: deps.ids.next(),
    at: now,
  });
  const scanState = deps.settings.scanner === null ? 'unscanned' : 'waiting';
  await markStored(transaction, upload, { at: now, scanState });
  const pruned = await removeVersions(
    transaction,
    { projectId, ids: [fileId] },
    { number: number - versionsMax },
    now,
  );
  await markCompleted(transaction, upload, { id: fileId, version: number });
  await recordAuditEvent(transaction, deps.ids, {
    kind: fileStored,
    at: now,
    client,
    accountId: createdBy,
    organizationId: organization.id,
    detail: { fileId, projectId, name: storedAs, version: number, uploadId: upload.id },
  });
  await changeUsage(transaction, organization.id, { used: upload.size - pruned, reserved: -upload.size });
  return fileId;
}

/** A new file, or the next version of the one that has the name. */
async function findPlace(
  transaction: Transaction<DB>,
  { ids }: Pick<StorageDeps, 'ids'>,
  { projectId, folderId, name, ifTaken, ifMatch }: Upload,
): Promise<{ fileId: EntryId; number: number; name: Upload['name']; created: boolean }> {
  const { folders, trashed } = await findLineage(transaction, projectId, folderId);
  if (trashed || (folderId !== null && folders.length === 0))
    throw contradicts('the folder is in the trash, or gone');
  const there = ifTaken === 'version' ? await findLiveSibling(transaction, projectId, folderId, name) : null;
  if (there === null) {
    if (ifMatch !== null) throw new ProblemError(preconditionFailed, 'there is no such file any more');
    return { fileId: ids.next(), number: 1, name, created: true };
  }
  // Of two who store a version at once the second must see what the first one stored.
  const present = await lockEntry(transaction, there);
  if (present === null || present.trashedAt !== null) throw contradicts('the file was deleted meanwhile');
  const { content } = present;
  if (content === null) raiseNameTaken(name);
  if (ifMatch !== null && ifMatch !== entityTagOf(content))
    throw new ProblemError(preconditionFailed, 'the file has another content by now');
  return { fileId: there.id, number: content.version + 1, name: there.name, created: false };
}

/** Gives the room back. The bytes, if there are any, go with the garbage. */
export async function giveUp(
  { clock }: Pick<StorageDeps, 'clock'>,
  transaction: Transaction<DB>,
  upload: Upload,
): Promise<void> {
  await markAbandoned(transaction, upload);
  await condemnBlobs(transaction, upload.projectId, [upload.blobKey], clock.now());
  await changeUsage(transaction, upload.organization.id, { reserved: -upload.size });
}

import { randomBytes } from 'node:crypto';

import { callers } from '../../access/index.ts';
import { hourMs } from '../../foundation/clock.ts';
import { waitForCommits } from '../../foundation/database/commit-wait.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Container } from '../folders/authorize-entry.ts';
import { authorizeContainer, requireEntry } from '../folders/authorize-entry.ts';
import { findLineage, findLiveSibling } from '../folders/entry-store.ts';
import { entityTagOf } from '../folders/entry.ts';
import { entryActions, entryResources, pathsOf, projectActions, requireOnAny } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { fileBytesMax, uploadHours } from '../storage-deps.ts';
import { preconditionFailed, quotaExceeded, raiseNameTaken, requireEntryName } from '../storage-problems.ts';
import { findUpload, insertUpload } from './upload-store.ts';
import type { Upload, UploadIfTaken } from './upload.ts';

export interface NewUpload {
  readonly projectId: string;
  readonly folderId: string | null;
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
  /** 64 hex digits. */
  readonly sha256: string | null;
  readonly ifTaken: UploadIfTaken;
  readonly ifMatch: string | null;
  /** Sent in pieces, by requests that continue where the last one ended. */
  readonly isResumable?: boolean;
}

/**
 * Reserves the space and names the blob in one statement, before the bucket is used: every object has a row that names
 * it. Name conflicts are checked now, to refuse early, and decided when the upload is completed.
 */
export async function reserveUpload(
  deps: StorageDeps,
  request: StorageRequest & { readonly upload: NewUpload },
): Promise<Upload> {
  const { upload: wanted, caller } = request;
  const name = requireEntryName(wanted.name);
  if (wanted.size > fileBytesMax) throw invalidField('size', `must be at most ${fileBytesMax}`);
  const container = await authorizeContainer(deps, caller, wanted, { create: 'file' });
  await refuseEarly(deps, container, { ...wanted, name });
  const { id: projectId, organization } = container.project;
  const createdAt = deps.clock.now();
  const upload: Upload = {
    id: deps.ids.next(),
    projectId,
    organization,
    folderId: container.folderId,
    name,
    size: wanted.size,
    mediaType: wanted.mediaType,
    expectedSha256: wanted.sha256 === null ? null : Buffer.from(wanted.sha256, 'hex'),
    ifTaken: wanted.ifTaken,
    ifMatch: wanted.ifMatch,
    blobKey: randomBytes(16).toString('hex'),
    state: 'open',
    stagedName: null,
    received: wanted.isResumable === true ? 0 : null,
    partTags: [],
    sha256: null,
    fileId: null,
    version: null,
    createdBy: caller.accountId,
    createdAt,
    expiresAt: addMs(createdAt, uploadHours * hourMs),
  };
  if (!(await insertUpload(deps.database, upload, deps.settings.quotaBytes)))
    throw new ProblemError(quotaExceeded, 'The organization does not have enough storage left.');
  await waitForCommits(deps.database);
  return upload;
}

async function refuseEarly(
  { database }: StorageDeps,
  { actor, project, folderId, lineage }: Container,
  wanted: Pick<Upload, 'name' | 'ifTaken' | 'ifMatch'>,
): Promise<void> {
  const there = await findLiveSibling(database, project.id, folderId, wanted.name);
  if (there === null) {
    if (wanted.ifMatch !== null) throw new ProblemError(preconditionFailed, 'No such file.');
    return;
  }
  if (wanted.ifTaken === 'rename') return;
  if (wanted.ifTaken === 'refuse' || there.content === null) raiseNameTaken(wanted.name);
  requireEntry(actor, there, lineage, 'update');
  if (wanted.ifMatch !== null && wanted.ifMatch !== entityTagOf(there.content))
    throw new ProblemError(preconditionFailed, 'The file has changed.');
}

/** Only the account that began an upload continues it, and with a limited key only if the key may create files. */
export async function requireUpload(
  deps: Pick<StorageDeps, 'database' | 'authorities'>,
  caller: callers.Caller,
  uploadId: string,
): Promise<Upload> {
  const id = parseId<'upload'>(uploadId);
  const upload = id.ok ? await findUpload(deps.database, id.value) : null;
  if (upload === null || upload.createdBy !== caller.accountId) throw callers.notFoundOrHidden();
  await callers.authorizeOrganization(deps, caller, upload.organization.key);
  if (callers.isLimited(caller)) await requireStillCreating(deps, caller, upload);
  return upload;
}

/** Refuses bytes of a caller who has lost the permission to create files since the reservation. */
export async function requireStillCreating(
  deps: Pick<StorageDeps, 'database' | 'authorities'>,
  caller: callers.Caller,
  { organization, projectId, folderId }: Upload,
): Promise<void> {
  const actor = await callers.authorizeOrganization(deps, caller, organization.key);
  const { folders } = await findLineage(deps.database, projectId, folderId);
  const place = { organizationKey: organization.key, projectId, folders };
  const reading = { action: projectActions.read, resources: pathsOf(place) };
  requireOnAny(actor, entryActions.file.create, entryResources(place, 'file'), reading);
}

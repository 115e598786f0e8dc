import { randomBytes } from 'node:crypto';

import { callers, permissions } from '../../access/index.ts';
import { hourMs } from '../../foundation/clock.ts';
import { waitForCommits } from '../../foundation/database/commit-wait.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Container } from '../folders/authorize-entry.ts';
import { authorizeContainer, placeOf, requireEntry } from '../folders/authorize-entry.ts';
import { findLineage, findLiveSibling } from '../folders/entry-store.ts';
import type { EntryId } from '../folders/entry.ts';
import { isMatch } from '../folders/entry.ts';
import type { Place } from '../storage-actions.ts';
import {
  entryActions,
  entryResources,
  pathsOf,
  projectActions,
  requireOnAny,
  uploadActions,
} from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { fileBytesMax, uploadHours } from '../storage-deps.ts';
import { preconditionFailed, raiseNameTaken, requireEntryName } from '../storage-problems.ts';
import { reserveSpace } from './reservations.ts';
import { findUpload, forbidReplacing } from './upload-store.ts';
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
  const replaces = await refuseEarly(deps, container, { ...wanted, name });
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
    mayReplace: mayReplaceIn(
      container.actor,
      placeOf({ organization, projectId }, container.lineage),
      deps.ids.next(),
    ),
    replaces,
    blobKey: randomBytes(16).toString('hex'),
    state: 'open',
    stagedName: null,
    reserved: wanted.size,
    activeAt: createdAt,
    partsArrived: 0,
    received: wanted.isResumable === true ? 0 : null,
    partTags: [],
    sha256: null,
    fileId: null,
    version: null,
    createdBy: caller.accountId,
    createdAt,
    expiresAt: addMs(createdAt, uploadHours * hourMs),
  };
  await reserveSpace(deps, upload);
  await waitForCommits(deps.database);
  return upload;
}

/** Returns the file that the upload may replace. */
async function refuseEarly(
  { database }: StorageDeps,
  { actor, project, folderId, lineage }: Container,
  wanted: Pick<Upload, 'name' | 'ifTaken' | 'ifMatch'>,
): Promise<EntryId | null> {
  const there = await findLiveSibling(database, project.id, folderId, wanted.name);
  if (there === null) {
    if (wanted.ifMatch !== null) throw new ProblemError(preconditionFailed, 'File not found.');
    return null;
  }
  if (wanted.ifTaken === 'rename') return null;
  if (wanted.ifTaken === 'refuse' || there.content === null) raiseNameTaken(wanted.name);
  requireEntry(actor, there, lineage, 'update');
  if (wanted.ifMatch !== null && !isMatch(wanted.ifMatch, there.content))
    throw new ProblemError(preconditionFailed, 'The file has changed.');
  return there.id;
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

/** Whether it may still create the file of an open upload. */
export function mayCreateIn({ authority }: callers.OrganizationActor, place: Place): boolean {
  return entryResources(place, 'file').some((resource) =>
    permissions.allows(authority, entryActions.file.create, resource),
  );
}

/** For every file of the folder: no policy names an id that is used for nothing. */
function mayReplaceIn({ authority }: callers.OrganizationActor, place: Place, unusedId: string): boolean {
  return entryResources(place, 'file', unusedId).some((resource) =>
    permissions.allows(authority, entryActions.file.update, resource),
  );
}

/** For cancelling: also an upload of another account, for callers who may end those of its project. */
export async function requireCancellable(
  deps: Pick<StorageDeps, 'database' | 'authorities'>,
  caller: callers.Caller,
  uploadId: string,
): Promise<Upload> {
  const id = parseId<'upload'>(uploadId);
  const upload = id.ok ? await findUpload(deps.database, id.value) : null;
  if (upload === null || upload.createdBy === caller.accountId) return requireUpload(deps, caller, uploadId);
  const { organization, projectId } = upload;
  const { authority } = await callers.authorizeOrganization(deps, caller, organization.key);
  const paths = pathsOf({ organizationKey: organization.key, projectId, folders: [] });
  if (!paths.some((path) => permissions.allows(authority, uploadActions.purge, path)))
    throw callers.notFoundOrHidden();
  return upload;
}

/** Refuses bytes of a caller who has lost the permission to create files since the reservation, and notes a lost one to replace them. */
export async function requireStillCreating(
  deps: Pick<StorageDeps, 'database' | 'authorities'>,
  caller: callers.Caller,
  upload: Upload,
): Promise<void> {
  const { organization, projectId, folderId } = upload;
  const actor = await callers.authorizeOrganization(deps, caller, organization.key);
  const place = placeOf(upload, await findLineage(deps.database, projectId, folderId));
  const reading = { action: projectActions.read, resources: pathsOf(place) };
  requireOnAny(actor, entryActions.file.create, entryResources(place, 'file'), reading);
  if (upload.mayReplace === true && !mayReplaceIn(actor, place, upload.id))
    await forbidReplacing(deps.database, upload);
}

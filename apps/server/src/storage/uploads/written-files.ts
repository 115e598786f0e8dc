import { Readable } from 'node:stream';

import type { callers } from '../../access/index.ts';
import { parseId } from '../../foundation/ids.ts';
import { authorizeContainer } from '../folders/authorize-entry.ts';
import { findProject } from '../projects/project-store.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { requireEntryName } from '../storage-problems.ts';
import { completeUpload } from './complete-upload.ts';
import { cancelUpload, receiveContent } from './receive-content.ts';
import { requireUpload, reserveUpload } from './reserve-upload.ts';

/** Files that the server writes for a member, in steps that a killed process can continue. */
type Request = Pick<StorageRequest, 'caller'>;

/** Of no request: the events of these files have no address. */
const client = { address: '', userAgent: 'Daybook' };

/** Whether the project exists in the organization and is not in the trash, for any caller. */
export async function isLiveProject(
  { database }: Pick<StorageDeps, 'database'>,
  { id }: callers.Organization,
  projectId: string,
): Promise<boolean> {
  const parsed = parseId<'project'>(projectId);
  const project = parsed.ok ? await findProject(database, parsed.value) : null;
  return project !== null && project.trashedAt === null && project.organization.id === id;
}

/** Raises if the caller may not create a file of this name at the top of the project. */
export async function requireWritableProject(
  deps: StorageDeps,
  { caller, projectId, name }: Request & { readonly projectId: string; readonly name: string },
): Promise<void> {
  requireEntryName(name);
  await authorizeContainer(deps, caller, { projectId, folderId: null }, { create: 'file' });
}

/** Returns the id of the upload. A name that is taken gets a number. */
export async function reserveWrittenFile(
  deps: StorageDeps,
  { caller, ...file }: Request & { readonly projectId: string; readonly name: string; readonly size: number },
): Promise<string> {
  const upload = {
    ...file,
    folderId: null,
    mediaType: 'text/markdown',
    sha256: null,
    ifTaken: 'rename',
    ifMatch: null,
  } as const;
  return (await reserveUpload(deps, { caller, client, upload })).id;
}

/** Returns the id of the file. */
export async function storeWrittenFile(
  deps: StorageDeps,
  {
    content,
    signal,
    ...request
  }: Request & { readonly uploadId: string; readonly content: Buffer; readonly signal: AbortSignal },
): Promise<string> {
  const stream = { signal, body: () => Readable.from([content], { objectMode: false }) };
  const contentLength = content.length;
  return (await receiveContent(deps, { ...request, client, stream, contentLength })).id;
}

/** The file of an upload, completed if its bytes have arrived; null if they have not, and then they never will. */
export async function settleWrittenFile(
  deps: StorageDeps,
  { caller, uploadId }: Request & { readonly uploadId: string },
): Promise<string | null> {
  const upload = await requireUpload(deps, caller, uploadId);
  if (upload.state === 'completed') return upload.fileId;
  if (upload.state === 'completing') return (await completeUpload(deps, upload, client)).id;
  await cancelUpload(deps, { caller, client, uploadId });
  return null;
}

import { callers, permissions } from '../../access/index.ts';
import type { Content } from '../../foundation/http/send-content.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import type { AuthorizedEntry } from '../folders/authorize-entry.ts';
import { authorizeLiveEntry, requireVersions } from '../folders/authorize-entry.ts';
import type { Entry, FileContent } from '../folders/entry.ts';
import { entityTagOf } from '../folders/entry.ts';
import { projectActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { contentAddressSeconds } from '../storage-deps.ts';
import { requireDirect } from '../storage-problems.ts';
import { sentMediaType } from './attachment.ts';
import { previewOf } from './preview.ts';
import { readerOf, requireReadable } from './require-readable.ts';
import type { Usage } from './usage-store.ts';
import { readUsage } from './usage-store.ts';
import type { Version } from './version-store.ts';
import { findVersion, selectVersions } from './version-store.ts';

async function authorizeFile(
  deps: StorageDeps,
  { caller, fileId }: StorageRequest & { readonly fileId: string },
): Promise<AuthorizedEntry> {
  return authorizeLiveEntry(deps, caller, { id: fileId, kind: 'file' }, 'read');
}

/** The current content, or that of a stored version. */
export async function readContent(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly version: number | null },
): Promise<Content & { readonly name: string }> {
  const { file, content } = await findContent(deps, request);
  requireReadable(content, readerOf(request.caller), deps.settings);
  return openedContent(deps, file, content);
}

function openedContent(
  { bucket, settings: { nginxToken } }: Pick<StorageDeps, 'bucket' | 'settings'>,
  { name, updatedAt }: Entry,
  content: FileContent,
): Content & { readonly name: string } {
  return {
    name,
    entityTag: entityTagOf(content),
    modifiedAt: updatedAt,
    size: content.size,
    contentType: sentMediaType(content.mediaType),
    open: (range, signal) => bucket.open(content.blobKey, range, signal),
    ...(nginxToken !== null && {
      proxied: { token: nginxToken, pathOf: () => bucket.proxied.pathOf(content.blobKey) },
    }),
  };
}

/** The content for a page to render; `not_found` if its type is not rendered. */
export async function readPreview(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string },
): Promise<Content & { readonly name: string }> {
  const { file, content } = await findContent(deps, { ...request, version: null });
  requireReadable(content, request.caller.accountId, deps.settings);
  const preview = previewOf(content);
  if (preview === null) throw callers.notFoundOrHidden();
  return { ...openedContent(deps, file, content), contentType: preview.contentType };
}

/**
 * A URL of the bucket itself, valid for a minute for everyone who has it: so not for content that only its uploader
 * may read.
 */
export async function signContentAddress(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly version: number | null },
  dispositionOf: (name: string) => string,
): Promise<{ readonly url: string; readonly expiresAt: EpochMicroseconds }> {
  const { file, content } = await findContent(deps, request);
  requireReadable(content, null, deps.settings);
  const direct = requireDirect(deps.bucket);
  const url = await direct.signRead(content.blobKey, dispositionOf(file.name), contentAddressSeconds);
  return { url, expiresAt: addMs(deps.clock.now(), contentAddressSeconds * 1_000) };
}

async function findContent(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly version: number | null },
): Promise<{ readonly file: Entry; readonly content: FileContent }> {
  const authorized = await authorizeFile(deps, request);
  const { entry: file } = authorized;
  const isCurrent = request.version === null || request.version === file.content?.version;
  if (!isCurrent) requireVersions(authorized, 'read');
  const content = isCurrent ? file.content : await findVersion(deps.database, file, request.version ?? 0);
  if (content === null) throw callers.notFoundOrHidden();
  return { file, content };
}

export async function listVersions<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly page: PageQuery },
  present: (version: Version) => Shown,
): Promise<Page<Shown>> {
  const authorized = await authorizeFile(deps, request);
  requireVersions(authorized, 'read');
  const { entry: file } = authorized;
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'version'>(),
    route: 'listVersions',
    tenant: file.projectId,
    filters: { fileId: file.id },
  });
  return presentPage(page, await selectVersions(deps.database, file, page), present);
}

/** For everyone who may list projects. */
export async function readOrganizationUsage(
  deps: StorageDeps,
  request: StorageRequest & { readonly organizationKey: string },
): Promise<Usage> {
  const actor = await callers.authorizeOrganization(deps, request.caller, request.organizationKey);
  const { organization } = actor;
  callers.requirePermission(actor, projectActions.read, permissions.resourceOf(organization.key, 'projects'));
  return readUsage(deps.database, organization.id, deps.settings.quotaBytes);
}

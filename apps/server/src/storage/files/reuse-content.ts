import type { Transaction } from 'kysely';

import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { authorizeLiveEntry, requireVersions } from '../folders/authorize-entry.ts';
import { findEntry, lockEntry, updateEntry } from '../folders/entry-store.ts';
import type { Entry, EntryId, FileContent } from '../folders/entry.ts';
import { within } from '../projects/authorize-project.ts';
import { shareTree } from '../projects/project-store.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { sparedSince, versionsMax } from '../storage-deps.ts';
import { contradicts } from '../storage-problems.ts';
import { requireReadable } from './require-readable.ts';
import { changeUsage } from './usage-store.ts';
import { findVersion, holdBlob, insertVersion, removeVersions } from './version-store.ts';

export const versionRestored = defineAuditKind(
  'version_restored',
  (word) => `You restored an earlier version of the file “${word('name')}”.`,
);
export const versionDeleted = defineAuditKind(
  'version_deleted',
  (word) => `You permanently deleted an earlier version of the file “${word('name')}”.`,
);

/** An earlier content as the next version. Restoring the current version changes nothing. */
export async function restoreVersion(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly version: number },
): Promise<Entry> {
  const named = { id: request.fileId, kind: 'file' as const };
  const { actor, entry } = await authorizeLiveEntry(deps, request.caller, named, 'update');
  return deps.database.transaction().execute(async (transaction) => {
    await shareTree(transaction, entry.projectId);
    await lockEntry(transaction, entry);
    const inside = within(transaction, actor);
    const authorized = await authorizeLiveEntry(inside, request.caller, named, 'update');
    const { entry: file } = authorized;
    if (request.version !== file.content?.version) requireVersions(authorized, 'read');
    const earlier = await findVersion(transaction, file, request.version);
    const content = await requireContent(deps, transaction, request, file, earlier);
    const { version: current = 0 } = file.content ?? {};
    if (content.version === current) return file;
    const number = current + 1;
    await updateEntry(transaction, file, { version: number }, deps.clock.now());
    await refer(deps, transaction, request, { ...file, number, content });
    const { projectId, id } = file;
    const now = deps.clock.now();
    const sparing = { othersThan: request.caller.accountId, since: sparedSince(now) };
    const upTo = { number: number - versionsMax, sparing };
    const bytes = await removeVersions(transaction, { projectId, ids: [id] }, upTo, now);
    const restored = await note(deps, transaction, request, actor, versionRestored, id);
    await changeUsage(transaction, file.organization.id, { used: -bytes });
    return restored;
  });
}

/** An earlier version, for good. The current one remains. */
export async function deleteVersion(
  deps: StorageDeps,
  request: StorageRequest & { readonly fileId: string; readonly version: number },
): Promise<void> {
  const named = { id: request.fileId, kind: 'file' as const };
  const { actor, entry } = await authorizeLiveEntry(deps, request.caller, named, 'read');
  await deps.database.transaction().execute(async (transaction) => {
    await shareTree(transaction, entry.projectId);
    await lockEntry(transaction, entry);
    const authorized = await authorizeLiveEntry(within(transaction, actor), request.caller, named, 'read');
    requireVersions(authorized, 'purge');
    const { id, projectId, content, organization } = authorized.entry;
    if (content?.version === request.version)
      throw contradicts(
        'The current version cannot be deleted. Delete the file, or restore another version first.',
      );
    if ((await findVersion(transaction, authorized.entry, request.version)) === null)
      throw callers.notFoundOrHidden();
    const only = { number: request.version, alone: true as const };
    const bytes = await removeVersions(transaction, { projectId, ids: [id] }, only, deps.clock.now());
    await note(deps, transaction, request, actor, versionDeleted, id);
    await changeUsage(transaction, organization.id, { used: -bytes });
  });
}

/** Locked until the transaction ends, so that it is not condemned. Requires permission to read it. */
async function requireContent(
  { settings }: StorageDeps,
  transaction: Transaction<DB>,
  { caller }: StorageRequest,
  { projectId }: Entry,
  content: FileContent | null,
): Promise<FileContent> {
  const isHeld = content !== null && (await holdBlob(transaction, projectId, content.blobKey));
  if (!isHeld) throw callers.notFoundOrHidden();
  requireReadable(content, caller.accountId, settings);
  return content;
}

async function refer(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { caller }: StorageRequest,
  {
    projectId,
    id: fileId,
    number,
    content: { blobKey, mediaType },
  }: Pick<Entry, 'projectId' | 'id'> & { readonly number: number; readonly content: FileContent },
): Promise<void> {
  await insertVersion(transaction, {
    projectId,
    fileId,
    number,
    id: deps.ids.next(),
    blobKey,
    mediaType,
    createdBy: caller.accountId,
    at: deps.clock.now(),
  });
}

async function note(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  kind: typeof versionRestored,
  id: EntryId,
): Promise<Entry> {
  const file = await findEntry(transaction, id);
  if (file === null) throw new Error('a file was lost within its own transaction');
  const { name, projectId, content } = file;
  const detail = { fileId: id, projectId, name, version: content?.version ?? 0 };
  await changes.recordActorEvent(transaction, deps, actor, { kind, at: deps.clock.now(), client, detail });
  return file;
}

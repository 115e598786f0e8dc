import type { Transaction } from 'kysely';

import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AuthorizeDeps } from '../projects/authorize-project.ts';
import { within } from '../projects/authorize-project.ts';
import { lockTree, shareTree } from '../projects/project-store.ts';
import type { EntryKind } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { contradicts, preconditionFailed, requireEntryName } from '../storage-problems.ts';
import type { AuthorizedEntry } from './authorize-entry.ts';
import { authorizeContainer, authorizeEntry, placeOf, requireLive } from './authorize-entry.ts';
import type { EntryChange } from './entry-store.ts';
import {
  findEntry,
  findLiveSibling,
  insertEntry,
  lockEntry,
  readHeight,
  updateEntry,
} from './entry-store.ts';
import type { Entry, EntryId, IfTaken } from './entry.ts';
import { depthMax, isMatch } from './entry.ts';
import { requireNoPurgeGained } from './purge-gain.ts';
import { requireNoReadingGained } from './reading-gain.ts';

export const folderCreated = defineAuditKind(
  'folder_created',
  (word) => `You created the folder “${word('name')}”.`,
);
export const entryChanged = defineAuditKind(
  'entry_changed',
  (word) => `You renamed or moved the ${word('entryKind')} “${word('name')}”.`,
);
export const entryDeleted = defineAuditKind(
  'entry_deleted',
  (word) => `You deleted the ${word('entryKind')} “${word('name')}”.`,
);
export const entryRestored = defineAuditKind(
  'entry_restored',
  (word) => `You restored the ${word('entryKind')} “${word('name')}”.`,
);

export interface NamedEntry {
  readonly id: string;
  readonly kind: EntryKind;
}

export async function createFolder(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly projectId: string;
    readonly parentId: string | null;
    readonly name: string;
    /** Returns a folder that has the name already: uploads of folders find their places again. */
    readonly usesExisting?: boolean;
  },
): Promise<Entry> {
  const name = requireEntryName(request.name);
  const where = { projectId: request.projectId, folderId: request.parentId };
  const { actor, project } = await authorizeContainer(deps, request.caller, where, { create: 'folder' });
  return deps.database.transaction().execute(async (transaction) => {
    await shareTree(transaction, project.id);
    const { folderId, lineage } = await authorizeContainer(
      within(transaction, actor),
      request.caller,
      where,
      {
        create: 'folder',
      },
    );
    if (request.usesExisting === true) {
      const present = await findLiveSibling(transaction, project.id, folderId, name);
      if (present?.kind === 'folder') return present;
    }
    requireDepth(lineage.folders.length + 1);
    const id: EntryId = deps.ids.next();
    const createdAt = deps.clock.now();
    const folder = {
      id,
      projectId: project.id,
      parentId: folderId,
      kind: 'folder' as const,
      name,
      createdAt,
    };
    const createdBy = request.caller.accountId;
    await insertEntry(transaction, { ...folder, createdBy, version: null }, 'refuse');
    await note(deps, transaction, request, actor, folderCreated, { ...folder, id });
    return foundAgain(transaction, id);
  });
}

export function requireDepth(folders: number): void {
  if (folders > depthMax) throw contradicts(`Folders can be nested at most ${depthMax} levels deep.`);
}

/** Renames, moves, or both. A move changes one row, whatever its descendants. */
export async function changeEntry(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly entry: NamedEntry;
    readonly name?: string;
    /** Null for the project itself. */
    readonly parentId?: string | null;
    readonly ifMatch?: string;
    readonly ifTaken?: IfTaken;
  },
): Promise<Entry> {
  const { parentId } = request;
  const name = request.name === undefined ? undefined : requireEntryName(request.name);
  const write = async (
    transaction: Transaction<DB>,
    entered: AuthorizedEntry,
    now: EpochMicroseconds,
  ): Promise<void> => {
    requireLive(entered);
    const { entry } = entered;
    await requireMatch(transaction, entry, request.ifMatch);
    const change: EntryChange = { ...(name !== undefined && { name }) };
    const to =
      parentId === undefined
        ? {}
        : {
            parentId: await moveTarget(within(transaction, entered.actor), request.caller, entered, parentId),
          };
    await updateEntry(transaction, entry, { ...change, ...to }, now, request.ifTaken);
  };
  return withEntry(
    deps,
    request,
    { verb: 'update', alone: parentId !== undefined, kind: entryChanged },
    write,
  );
}

/** The target of a move: within the project, not below the moved entry, and not too deep. */
async function moveTarget(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  { actor, entry, lineage }: AuthorizedEntry,
  folderId: string | null,
): Promise<EntryId | null> {
  const where = { projectId: entry.projectId, folderId };
  const target = await authorizeContainer(deps, caller, where, { create: entry.kind });
  const { folders } = target.lineage;
  const places = { from: placeOf(entry, lineage), to: placeOf(entry, target.lineage) };
  requireNoPurgeGained(actor, entry, places);
  requireNoReadingGained(actor, entry, places);
  if (folders.includes(entry.id))
    throw contradicts('A folder cannot be moved into itself or a folder below it.');
  if (entry.kind === 'folder') requireDepth(folders.length + (await readHeight(deps.database, entry)));
  return target.folderId;
}

/** Marks the root of the deleted subtree, in one row; its descendants are in the trash with it. */
export async function deleteEntry(
  deps: StorageDeps,
  request: StorageRequest & { readonly entry: NamedEntry; readonly ifMatch?: string },
): Promise<void> {
  await withEntry(
    deps,
    request,
    { verb: 'delete', alone: false, kind: entryDeleted },
    async (transaction, entered, now) => {
      requireLive(entered);
      await requireMatch(transaction, entered.entry, request.ifMatch);
      await updateEntry(transaction, entered.entry, { trashedAt: now }, now);
    },
  );
}

/** Locked, so that no other request changes its content meanwhile. A folder has no entity tag: only `*` matches it. */
export async function requireMatch(
  transaction: Transaction<DB>,
  entry: Entry,
  ifMatch: string | undefined,
): Promise<void> {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const { content } = (await lockEntry(transaction, entry)) ?? entry;
  if (content === null || !isMatch(ifMatch, content))
    throw new ProblemError(preconditionFailed, 'The content has changed.');
}

/** Restores to the original place. An entry outside the trash stays unchanged. */
export async function restoreEntry(
  deps: StorageDeps,
  request: StorageRequest & { readonly entry: NamedEntry; readonly ifTaken: IfTaken },
): Promise<Entry> {
  return withEntry(
    deps,
    request,
    { verb: 'delete', alone: true, kind: entryRestored },
    async (transaction, entered, now) => {
      requireRestorable(entered, now);
      const { entry, lineage } = entered;
      if (lineage.trashed) throw contradicts('The parent folder is in the trash. Restore it first.');
      if (entry.trashedAt === null) return;
      await updateEntry(transaction, entry, { trashedAt: null }, now, request.ifTaken);
    },
  );
}

/** Purged entries that wait for removal are not found. */
export function requireRestorable({ entry, lineage }: AuthorizedEntry, now: EpochMicroseconds): void {
  const isOver = entry.trashedAt !== null && entry.trashedAt <= trashEndsBefore(now);
  if (isOver || lineage.purged) throw callers.notFoundOrHidden();
}

interface ChangeOfEntry {
  readonly verb: 'update' | 'delete' | 'purge';
  /** Excludes every other change of the project's tree. */
  readonly alone: boolean;
  readonly kind: typeof entryChanged;
}

/** Authorized once before the project's lock is requested, and again under the lock. */
export async function withEntry(
  deps: StorageDeps,
  request: StorageRequest & { readonly entry: NamedEntry },
  { verb, alone, kind }: ChangeOfEntry,
  write: (transaction: Transaction<DB>, entered: AuthorizedEntry, now: EpochMicroseconds) => Promise<void>,
): Promise<Entry> {
  const { actor, entry: before } = await authorizeEntry(deps, request.caller, request.entry, verb);
  return deps.database.transaction().execute(async (transaction) => {
    await (alone ? lockTree : shareTree)(transaction, before.projectId);
    const entered = await authorizeEntry(within(transaction, actor), request.caller, request.entry, verb);
    await write(transaction, entered, deps.clock.now());
    const after = await foundAgain(transaction, entered.entry.id);
    await note(deps, transaction, request, actor, kind, after);
    return after;
  });
}

async function foundAgain(transaction: Transaction<DB>, id: EntryId): Promise<Entry> {
  const entry = await findEntry(transaction, id);
  if (entry === null) throw new Error('an entry was lost within its own transaction');
  return entry;
}

async function note(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  kind: typeof entryChanged,
  entry: Pick<Entry, 'id' | 'projectId' | 'parentId' | 'kind' | 'name'>,
): Promise<void> {
  const { id: entryId, projectId, parentId, kind: entryKind, name } = entry;
  await changes.recordActorEvent(transaction, deps, actor, {
    kind,
    at: deps.clock.now(),
    client,
    detail: { entryId, projectId, entryKind, name, ...(parentId !== null && { folderId: parentId }) },
  });
}

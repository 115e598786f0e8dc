import type { Transaction } from 'kysely';

import { changes, permissions } from '../../access/index.ts';
import type { callers } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { condemnBlobs } from '../files/version-store.ts';
import type { AuthorizedEntry } from '../folders/authorize-entry.ts';
import { authorizeContainer, authorizeEntry, placeOf, requireLive } from '../folders/authorize-entry.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import { changeEntry, requireDepth, requireMatch } from '../folders/change-entries.ts';
import { findEntry, readHeight } from '../folders/entry-store.ts';
import type { Entry, EntryId, IfTaken } from '../folders/entry.ts';
import { requireNoPurgeGained } from '../folders/purge-gain.ts';
import { within } from '../projects/authorize-project.ts';
import { findProject } from '../projects/project-store.ts';
import { forgetSharesOfEntries } from '../shares/forget-shares.ts';
import { entryActions, entryResources, versionActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { contradicts, requireEntryName } from '../storage-problems.ts';
import { settleUsage } from './settle-usage.ts';
import type { TransferredEntry } from './transfer-store.ts';
import {
  adoptBlobs,
  holdBlobs,
  lockTrees,
  moveTree,
  lockVersions,
  selectLiveTree,
} from './transfer-store.ts';
import type { AuthorizedTarget, TransferTarget } from './transfer-target.ts';
import { authorizeTarget, requireFew, transferEntriesMax } from './transfer-target.ts';

export const entryTransferred = defineAuditKind(
  'entry_transferred',
  (word) => `You moved the ${word('entryKind')} “${word('name')}” to another project.`,
);

export interface MoveRequest extends StorageRequest {
  readonly entry: NamedEntry;
  readonly target: TransferTarget;
  readonly name?: string;
  readonly ifTaken: IfTaken;
  readonly ifMatch?: string;
}

/**
 * Moves a file or folder. Within a project one row changes. To another project of the organization it requires the
 * permission to delete the entry and to read everything in it; it retains ids and versions, and ends shares and links.
 */
export async function moveEntry(deps: StorageDeps, request: MoveRequest): Promise<Entry> {
  const { caller, entry: named, target, name, ifMatch, ifTaken } = request;
  const { actor, entry: known } = await authorizeEntry(deps, caller, named, 'read');
  if (target.projectId === undefined || target.projectId === known.projectId)
    return changeEntry(deps, {
      ...request,
      parentId: target.folderId === undefined ? known.parentId : target.folderId,
      ifTaken,
      ...(name !== undefined && { name }),
      ...(ifMatch !== undefined && { ifMatch }),
    });
  const newName = name === undefined ? undefined : requireEntryName(name);
  const to = await authorizeTarget(deps, caller, known, target);
  return deps.database.transaction().execute(async (transaction) => {
    await lockTrees(transaction, { from: known.projectId, to: to.project.id }, 'alone');
    const inside = within(transaction, actor);
    const source = await authorizeEntry(inside, caller, named, 'delete');
    requireLive(source);
    if (source.entry.projectId !== known.projectId)
      throw contradicts('Another request moved it at the same time. Try again.');
    await requireMatch(transaction, source.entry, ifMatch);
    const place = await authorizeTarget(inside, caller, source.entry, target);
    const tree = await selectLiveTree(transaction, known.projectId, known.id, transferEntriesMax + 1);
    requireFew(tree.length);
    requireAllReadable(source, tree);
    requireNoPurgeGained(actor, source.entry, {
      from: placeOf(source.entry, source.lineage),
      to: placeOf({ ...source.entry, projectId: place.project.id }, place.lineage),
    });
    await requireTarget(transaction, caller, source, { place, tree });
    await transfer(deps, transaction, request, { source, place, tree, name: newName ?? source.entry.name });
    return note(deps, transaction, request, actor, source.entry);
  });
}

/** Also earlier versions: readers of the target may see what the caller could not. */
function requireAllReadable(
  { actor, entry, lineage }: AuthorizedEntry,
  tree: readonly TransferredEntry[],
): void {
  const parents = new Map(tree.map(({ id, parentId }) => [id, parentId]));
  const foldersOf = (id: EntryId): readonly EntryId[] => {
    if (id === entry.id) return lineage.folders;
    const parent = parents.get(id) ?? entry.id;
    return [parent, ...foldersOf(parent)];
  };
  const allows = (action: permissions.Action, { id, kind }: TransferredEntry): boolean =>
    entryResources(placeOf(entry, { ...lineage, folders: foldersOf(id) }), kind, id).some((resource) =>
      permissions.allows(actor.authority, action, resource),
    );
  const isReadable = tree.every(
    (one) =>
      allows(entryActions[one.kind].read, one) && (one.versions < 2 || allows(versionActions.read, one)),
  );
  if (!isReadable)
    throw new ProblemError(
      forbidden,
      'A move to another project requires permission to read everything in it, with earlier versions.',
    );
}

async function requireTarget(
  transaction: Transaction<DB>,
  caller: callers.Caller,
  { actor, entry }: AuthorizedEntry,
  { place, tree }: { readonly place: AuthorizedTarget; readonly tree: readonly TransferredEntry[] },
): Promise<void> {
  if (entry.kind === 'file') return;
  requireDepth(place.lineage.folders.length + (await readHeight(transaction, entry)));
  if (tree.some(({ kind }) => kind === 'file'))
    await authorizeContainer(within(transaction, actor), caller, place.where, { create: 'file' });
}

async function transfer(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { caller, ifTaken }: MoveRequest,
  {
    source: { entry },
    place,
    tree,
    name,
  }: {
    readonly source: AuthorizedEntry;
    readonly place: AuthorizedTarget;
    readonly tree: readonly TransferredEntry[];
    readonly name: Entry['name'];
  },
): Promise<void> {
  const [now, createdBy] = [deps.clock.now(), caller.accountId];
  const between = { from: entry.projectId, to: place.project.id };
  const files = tree.flatMap(({ id, kind }) => (kind === 'file' ? [id] : []));
  const keys = await lockVersions(transaction, entry.projectId, files);
  const countedFor = { storedBy: null, else: createdBy };
  const gained = await adoptBlobs(transaction, between, keys, countedFor, now);
  if (!(await holdBlobs(transaction, between.to, keys)))
    throw contradicts('The content was deleted at the same time. Try again.');
  const project = await findProject(transaction, entry.projectId);
  const ids = tree.map(({ id }) => id);
  if (project !== null) await forgetSharesOfEntries(transaction, project, ids);
  await moveTree(transaction, between, entry, { folderId: place.folderId, name, ifTaken, at: now }, ids);
  const lost = await condemnBlobs(transaction, between.from, keys, now);
  const target = { organization: entry.organization, projectId: between.to, createdBy };
  await settleUsage(deps, transaction, target, { gained, lost });
}

async function note(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  { id, projectId: fromProjectId }: Entry,
): Promise<Entry> {
  const entry = await findEntry(transaction, id);
  if (entry === null) throw new Error('an entry was lost within its own transaction');
  const { projectId, kind: entryKind, name } = entry;
  const detail = { entryId: id, projectId, fromProjectId, entryKind, name };
  await changes.recordActorEvent(transaction, deps, actor, {
    kind: entryTransferred,
    at: deps.clock.now(),
    client,
    detail,
  });
  return entry;
}

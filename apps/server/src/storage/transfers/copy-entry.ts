import type { Transaction } from 'kysely';

import { callers, changes } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { isReadableBy, requireReadable } from '../files/require-readable.ts';
import { insertVersion } from '../files/version-store.ts';
import type { AuthorizedEntry } from '../folders/authorize-entry.ts';
import { authorizeContainer, authorizeLiveEntry } from '../folders/authorize-entry.ts';
import type { NamedEntry } from '../folders/change-entries.ts';
import { requireDepth } from '../folders/change-entries.ts';
import { findEntry, insertEntry } from '../folders/entry-store.ts';
import { selectTree } from '../folders/entry-tree-store.ts';
import type { Entry, EntryId, IfTaken } from '../folders/entry.ts';
import { readableBelow } from '../folders/readable-below.ts';
import { within } from '../projects/authorize-project.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { contradicts, requireEntryName } from '../storage-problems.ts';
import { settleUsage } from './settle-usage.ts';
import type { NewEntry } from './transfer-store.ts';
import { adoptBlobs, holdBlobs, insertTree, lockTrees } from './transfer-store.ts';
import type { TransferTarget } from './transfer-target.ts';
import { authorizeTarget, requireFew, transferEntriesMax } from './transfer-target.ts';

export const fileCopied = defineAuditKind('file_copied', (word) => `You copied the file “${word('name')}”.`);
export const folderCopied = defineAuditKind(
  'folder_copied',
  (word) => `You copied the folder “${word('name')}”.`,
);

export interface CopiedEntry {
  readonly entry: Entry;
  /** Folders and files, including the root. */
  readonly copied: number;
  /** Files that the scanner withholds from the caller. */
  readonly omitted: number;
}

/**
 * Copies a file, or a folder with everything in it that the caller may read, in one transaction. Copies refer to the
 * same bytes; each file has its current content as its first version.
 */
export async function copyEntry(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly entry: NamedEntry;
    readonly target: TransferTarget;
    /** Absent: the same name. */
    readonly name?: string;
    readonly ifTaken: IfTaken;
  },
): Promise<CopiedEntry> {
  const { caller, entry: named } = request;
  const name = request.name === undefined ? undefined : requireEntryName(request.name);
  const { actor, entry: known } = await authorizeLiveEntry(deps, caller, named, 'read');
  const to = await authorizeTarget(deps, caller, known, request.target);
  return deps.database.transaction().execute(async (transaction) => {
    await lockTrees(transaction, { from: known.projectId, to: to.project.id }, 'shared');
    const inside = within(transaction, actor);
    const source = await authorizeLiveEntry(inside, caller, named, 'read');
    const target = await authorizeTarget(inside, caller, source.entry, request.target);
    const plan = await planCopy(deps, transaction, request, source);
    if (plan.below.some(({ content }) => content !== null))
      await authorizeContainer(inside, caller, target.where, { create: 'file' });
    requireDepth(target.lineage.folders.length + plan.height);
    const where = {
      projectId: target.project.id,
      folderId: target.folderId,
      name: name ?? source.entry.name,
    };
    const copy = await writeCopy(deps, transaction, request, { source: source.entry, where, plan });
    await note(deps, transaction, request, actor, copy);
    return { entry: copy, copied: plan.below.length + 1, omitted: plan.omitted };
  });
}

interface CopyPlan {
  /** Without the root. */
  readonly below: readonly Entry[];
  readonly omitted: number;
  /** The folders from the root to the deepest one. */
  readonly height: number;
}

/** A file that cannot be read is refused; below a folder it is omitted, as in archives. */
async function planCopy(
  { settings }: StorageDeps,
  transaction: Transaction<DB>,
  { caller }: StorageRequest,
  { actor, entry, lineage }: AuthorizedEntry,
): Promise<CopyPlan> {
  if (entry.content !== null) {
    requireReadable(entry.content, caller.accountId, settings);
    return { below: [], omitted: 0, height: 0 };
  }
  const { id, projectId, organization } = entry;
  const { project } = await authorizeContainer(
    within(transaction, actor),
    caller,
    { projectId, folderId: id },
    { read: true },
  );
  const place = {
    projectId,
    folderId: id,
    folders: [id, ...lineage.folders],
    readable: readableBelow(actor, { ...project, organization }),
  };
  const found = await selectTree(transaction, place, transferEntriesMax);
  requireFew(found.length + 1);
  const below = found.filter(
    ({ content }) => content === null || isReadableBy(content, caller.accountId, settings),
  );
  return { below, omitted: found.length - below.length, height: heightOf(id, below) };
}

function heightOf(root: EntryId, below: readonly Entry[]): number {
  const parents = new Map(below.map(({ id, parentId }) => [id, parentId]));
  const depth = (id: EntryId): number => (id === root ? 1 : 1 + depth(parents.get(id) ?? root));
  return Math.max(1, ...below.filter(({ content }) => content === null).map(({ id }) => depth(id)));
}

async function writeCopy(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  request: StorageRequest & { readonly ifTaken: IfTaken },
  {
    source,
    where,
    plan: { below },
  }: {
    readonly source: Entry;
    readonly where: Pick<Entry, 'projectId' | 'name'> & { readonly folderId: EntryId | null };
    readonly plan: CopyPlan;
  },
): Promise<Entry> {
  const [createdBy, at, id] = [request.caller.accountId, deps.clock.now(), deps.ids.next<'entry'>()];
  const keys = [source, ...below].flatMap(({ content }) => content?.blobKey ?? []);
  const gained = await referTo(deps, transaction, source, where.projectId, { keys, createdBy });
  const version = source.content === null ? null : 1;
  const root = {
    id,
    projectId: where.projectId,
    parentId: where.folderId,
    kind: source.kind,
    name: where.name,
  };
  await insertEntry(transaction, { ...root, createdAt: at, createdBy, version }, request.ifTaken);
  const ids = new Map<EntryId, EntryId>([[source.id, id]]);
  for (const entry of below) ids.set(entry.id, deps.ids.next());
  const entries = below.map((entry): NewEntry => ({
    id: ids.get(entry.id) ?? id,
    parentId: ids.get(entry.parentId ?? source.id) ?? id,
    name: entry.name,
    content: entry.content,
    versionId: deps.ids.next(),
  }));
  await insertTree(transaction, where.projectId, entries, { createdBy, at });
  if (source.content !== null)
    await insertVersion(transaction, {
      projectId: where.projectId,
      fileId: id,
      number: 1,
      id: deps.ids.next(),
      blobKey: source.content.blobKey,
      mediaType: source.content.mediaType,
      createdBy,
      at,
    });
  const { organization } = source;
  await settleUsage(
    deps,
    transaction,
    { organization, projectId: where.projectId, createdBy },
    { gained, lost: 0 },
  );
  return found(transaction, id);
}

/** Holds the contents until the transaction ends; in another project, gives it rows for them. */
async function referTo(
  { clock }: StorageDeps,
  transaction: Transaction<DB>,
  { projectId: from }: Entry,
  to: Entry['projectId'],
  { keys, createdBy }: { readonly keys: readonly string[]; readonly createdBy: string },
): Promise<number> {
  if (!(await holdBlobs(transaction, from, keys))) throw callers.notFoundOrHidden();
  if (from === to) return 0;
  const countedFor = { storedBy: createdBy, else: createdBy };
  const gained = await adoptBlobs(transaction, { from, to }, keys, countedFor, clock.now());
  if (!(await holdBlobs(transaction, to, keys)))
    throw contradicts('The content was deleted at the same time. Try again.');
  return gained;
}

async function found(transaction: Transaction<DB>, id: EntryId): Promise<Entry> {
  const entry = await findEntry(transaction, id);
  if (entry === null) throw new Error('a copy was lost within its own transaction');
  return entry;
}

async function note(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  { id, kind, name, projectId, content }: Entry,
): Promise<void> {
  const place = { projectId, name };
  const detail =
    content === null ? { entryId: id, ...place } : { fileId: id, ...place, version: content.version };
  const event = kind === 'file' ? fileCopied : folderCopied;
  await changes.recordActorEvent(transaction, deps, actor, {
    kind: event,
    at: deps.clock.now(),
    client,
    detail,
  });
}

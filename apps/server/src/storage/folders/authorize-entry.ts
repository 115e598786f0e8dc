import { callers, permissions } from '../../access/index.ts';
import { forbidden } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AuthorizeDeps } from '../projects/authorize-project.ts';
import { authorizeProject, requireProject } from '../projects/authorize-project.ts';
import type { Project } from '../projects/project.ts';
import type { EntryKind, Place } from '../storage-actions.ts';
import {
  entryActions,
  entryResources,
  pathsOf,
  projectActions,
  requireOnAny,
  shareActions,
  versionActions,
} from '../storage-actions.ts';
import { findEntry, findLineage } from './entry-store.ts';
import type { Entry, EntryId, Lineage } from './entry.ts';

/** A folder or file, with the caller's permissions. */
export interface AuthorizedEntry {
  readonly actor: callers.OrganizationActor;
  readonly entry: Entry;
  /** Of its parent folder. */
  readonly lineage: Lineage;
}

export type Verb = keyof (typeof entryActions)['folder'];

/** Raises `not_found` for missing and unreadable entries, and for the other kind. */
export async function authorizeEntry(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  { id: text, kind }: { readonly id: string; readonly kind: EntryKind },
  verb: Verb,
): Promise<AuthorizedEntry> {
  const id = parseId<'entry'>(text);
  const entry = id.ok ? await findEntry(deps.database, id.value) : null;
  if (entry === null || entry.kind !== kind) throw callers.notFoundOrHidden();
  const actor = await callers.authorizeOrganization(deps, caller, entry.organization.key);
  const lineage = await findLineage(deps.database, entry.projectId, entry.parentId);
  requireEntry(actor, entry, lineage, verb);
  return { actor, entry, lineage };
}

export function requireEntry(
  actor: callers.OrganizationActor,
  entry: Entry,
  lineage: Lineage,
  verb: Verb,
): void {
  const resources = entryResources(placeOf(entry, lineage), entry.kind, entry.id);
  const actions = entryActions[entry.kind];
  requireOnAny(actor, actions[verb], resources, { action: actions.read, resources });
}

/** On a file that the caller may read: its earlier contents. */
export function requireVersions(
  { actor, entry, lineage }: AuthorizedEntry,
  verb: keyof typeof versionActions,
): void {
  const resources = entryResources(placeOf(entry, lineage), entry.kind, entry.id);
  requireOnAny(actor, versionActions[verb], resources, { action: entryActions.file.read, resources });
}

/** For a caller who may read it: whether they may see, create or end its shares and links. */
export function maySharesOn(
  { actor, entry, lineage }: AuthorizedEntry,
  verb: keyof typeof shareActions,
): boolean {
  const resources = entryResources(placeOf(entry, lineage), entry.kind, entry.id);
  return resources.some((resource) => permissions.allows(actor.authority, shareActions[verb], resource));
}

export function requireShares(entered: AuthorizedEntry, verb: keyof typeof shareActions): void {
  if (!maySharesOn(entered, verb))
    throw new ProblemError(
      forbidden,
      `This requires ${shareActions[verb].text} on the ${entered.entry.kind}.`,
    );
}

export function placeOf(
  { organization, projectId }: Pick<Entry, 'organization' | 'projectId'>,
  { folders }: Lineage,
): Place {
  return { organizationKey: organization.key, projectId, folders };
}

/** Trashed entries are found only to restore them. */
export function requireLive({ entry, lineage }: Pick<AuthorizedEntry, 'entry' | 'lineage'>): void {
  if (entry.trashedAt !== null || lineage.trashed) throw callers.notFoundOrHidden();
}

export async function authorizeLiveEntry(
  ...args: Parameters<typeof authorizeEntry>
): Promise<AuthorizedEntry> {
  const entered = await authorizeEntry(...args);
  requireLive(entered);
  return entered;
}

/** A folder, or the project itself, in which entries are listed or created. */
export interface Container {
  readonly actor: callers.OrganizationActor;
  readonly project: Project;
  readonly folderId: EntryId | null;
  /** From the folder upwards, including itself. */
  readonly lineage: Lineage;
}

/** Raises `not_found` if the caller may neither do this nor read the container. */
export async function authorizeContainer(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  where: { readonly projectId: string; readonly folderId: string | null },
  need: { readonly create: EntryKind } | { readonly read: true },
): Promise<Container> {
  const { actor, project } = await authorizeProject(deps, caller, where.projectId);
  const folder = where.folderId === null ? null : parseId<'entry'>(where.folderId);
  const found = folder === null ? null : folder.ok ? await findEntry(deps.database, folder.value) : null;
  const isElsewhere = found?.projectId !== project.id || found.kind !== 'folder';
  if (where.folderId !== null && isElsewhere) throw callers.notFoundOrHidden();
  const lineage = await findLineage(deps.database, project.id, found?.id ?? null);
  if ('create' in need) requireCreating(actor, project, found, lineage, need.create);
  else if (found === null) requireProject(actor, project, projectActions.read);
  else requireEntry(actor, found, { ...lineage, folders: lineage.folders.slice(1) }, 'read');
  if (lineage.trashed) throw callers.notFoundOrHidden();
  return { actor, project, folderId: found?.id ?? null, lineage };
}

function requireCreating(
  actor: callers.OrganizationActor,
  { id: projectId, organization }: Project,
  folder: Entry | null,
  lineage: Lineage,
  kind: EntryKind,
): void {
  const place = { organizationKey: organization.key, projectId, folders: lineage.folders };
  const above = { ...place, folders: lineage.folders.slice(1) };
  const [reading, readable]: [permissions.Action, readonly permissions.Resource[]] =
    folder === null
      ? [projectActions.read, pathsOf(place)]
      : [entryActions.folder.read, entryResources(above, 'folder', folder.id)];
  requireOnAny(actor, entryActions[kind].create, entryResources(place, kind), {
    action: reading,
    resources: readable,
  });
}

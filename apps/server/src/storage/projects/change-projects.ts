import type { Transaction } from 'kysely';

import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { numberedName } from '../entry-name.ts';
import { projectActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { nameTaken, requireEntryName } from '../storage-problems.ts';
import { authorizeProject, requireProject, within } from './authorize-project.ts';
import { insertProject, lockTree, updateProject } from './project-store.ts';
import type { Project } from './project.ts';

export const projectCreated = defineAuditKind(
  'project_created',
  (word) => `You created the project “${word('name')}”.`,
);
export const projectRenamed = defineAuditKind(
  'project_renamed',
  (word) => `You renamed a project to “${word('name')}”.`,
);
export const projectDeleted = defineAuditKind(
  'project_deleted',
  (word) => `You deleted the project “${word('name')}”.`,
);
export const projectRestored = defineAuditKind(
  'project_restored',
  (word) => `You restored the project “${word('name')}”.`,
);

export interface NewProject {
  readonly name: string;
  /** Absent: the current organization of the account. */
  readonly organizationKey?: string;
  readonly workspaceId?: string;
}

/** In a workspace of the account; by default its first one in the organization. */
export async function createProject(
  deps: StorageDeps,
  request: StorageRequest & { readonly account: accounts.Account; readonly project: NewProject },
): Promise<Project> {
  const { account, project: wanted } = request;
  const name = requireEntryName(wanted.name);
  const organizationKey = wanted.organizationKey ?? organizationKeyOf(account);
  const actor = await callers.authorizeOrganization(deps, request.caller, organizationKey);
  const { organization } = actor;
  callers.requirePermission(
    actor,
    projectActions.create,
    permissions.resourceOf(organization.key, 'projects'),
  );
  const workspace = account.workspaces.find(
    ({ organizationId, workspaceId }) =>
      organizationId === organization.id &&
      (wanted.workspaceId === undefined || workspaceId === wanted.workspaceId),
  );
  if (workspace === undefined)
    throw invalidField('workspaceId', 'must be a workspace of yours in the organization');
  const now = deps.clock.now();
  const project: Project = {
    id: deps.ids.next(),
    organization,
    workspaceId: workspace.workspaceId,
    name,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
  };
  await deps.database.transaction().execute(async (transaction) => {
    await insertProject(transaction, { ...project, createdBy: account.id });
    await note(deps, transaction, request, actor, projectCreated, project);
  });
  return project;
}

/** For a request that names none: the account's first organization, whatever is current on its pages. */
export function organizationKeyOf({ memberships: [first] }: accounts.Account): string {
  return first?.organizationKey ?? '';
}

export async function renameProject(
  deps: StorageDeps,
  request: ProjectRequest & { readonly name: string },
): Promise<Project> {
  const name = requireEntryName(request.name);
  const change = { action: projectActions.update, kind: projectRenamed };
  return withProject(deps, request, change, async (transaction, project, now) => {
    requireLive(project);
    await updateProject(transaction, project.id, { name }, now);
    return { ...project, name, updatedAt: now };
  });
}

/** Into the trash, with everything in it. */
export async function deleteProject(deps: StorageDeps, request: ProjectRequest): Promise<void> {
  const change = { action: projectActions.delete, kind: projectDeleted };
  await withProject(deps, request, change, async (transaction, project, now) => {
    requireLive(project);
    await updateProject(transaction, project.id, { trashedAt: now }, now);
    return { ...project, trashedAt: now };
  });
}

/** Until the worker has begun to empty the trash. A project outside the trash stays unchanged. */
export async function restoreProject(
  deps: StorageDeps,
  request: ProjectRequest & { readonly ifTaken?: 'refuse' | 'rename' },
): Promise<Project> {
  const change = { action: projectActions.delete, kind: projectRestored };
  const restoreAs = (number: number): Promise<Project> =>
    withProject(deps, request, change, async (transaction, project, now) => {
      if (project.trashedAt === null) return project;
      if (project.trashedAt <= trashEndsBefore(now)) throw callers.notFoundOrHidden();
      const name = number === 1 ? project.name : numberedName(project.name, number);
      await updateProject(transaction, project.id, { name, trashedAt: null }, now);
      return { ...project, name, trashedAt: null, updatedAt: now };
    });
  for (let number = 1; ; number += 1) {
    try {
      return await restoreAs(number);
    } catch (error) {
      const isTaken = error instanceof ProblemError && error.definition === nameTaken;
      if (!isTaken || request.ifTaken !== 'rename' || number === namesMax) throw error;
    }
  }
}

/** Numbers that are tried after a taken name. */
const namesMax = 100;

export type ProjectRequest = StorageRequest & { readonly projectId: string };

/**
 * Authorized once before the project's lock is requested, and again under the lock: of concurrent changes each one
 * decides by the state that the previous one left. A change that returns the same project writes no event.
 */
export async function withProject(
  deps: StorageDeps,
  request: ProjectRequest,
  { action, kind }: { readonly action: permissions.Action; readonly kind: typeof projectCreated },
  write: (transaction: Transaction<DB>, project: Project, now: EpochMicroseconds) => Promise<Project>,
): Promise<Project> {
  const { caller, projectId } = request;
  const { actor, project: before } = await authorizeProject(deps, caller, projectId);
  requireProject(actor, before, action);
  return deps.database.transaction().execute(async (transaction) => {
    await lockTree(transaction, before.id);
    const { project } = await authorizeProject(within(transaction, actor), caller, projectId);
    const after = await write(transaction, project, deps.clock.now());
    if (after !== project) await note(deps, transaction, request, actor, kind, after);
    return after;
  });
}

function requireLive({ trashedAt }: Project): void {
  if (trashedAt !== null) throw callers.notFoundOrHidden();
}

async function note(
  deps: StorageDeps,
  transaction: Transaction<DB>,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  kind: typeof projectCreated,
  { id, name }: Project,
): Promise<void> {
  const detail = { projectId: id, name };
  await changes.recordActorEvent(transaction, deps, actor, { kind, at: deps.clock.now(), client, detail });
}

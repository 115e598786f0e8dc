import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { numberedName } from '../entry-name.ts';
import { projectActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { nameTaken, raiseNameTaken, requireEntryName } from '../storage-problems.ts';
import { authorizeProject, requireLiveProject, requireProject } from './authorize-project.ts';
import { insertProject, updateProject } from './project-store.ts';
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
  await change(deps, request, actor, project, projectCreated, (transaction) =>
    insertProject(transaction, { ...project, createdBy: account.id }),
  );
  return project;
}

/** For a request that names none: the account's first organization, whatever is current on its pages. */
export function organizationKeyOf({ memberships: [first] }: accounts.Account): string {
  return first?.organizationKey ?? '';
}

export async function renameProject(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly name: string },
): Promise<Project> {
  const name = requireEntryName(request.name);
  const { actor, project } = await requireLiveProject(
    deps,
    request.caller,
    request.projectId,
    projectActions.update,
  );
  const now = deps.clock.now();
  const renamed = { ...project, name, updatedAt: now };
  await change(deps, request, actor, renamed, projectRenamed, (transaction) =>
    updateProject(transaction, project.id, { name }, now),
  );
  return renamed;
}

/** Into the trash, with everything in it. */
export async function deleteProject(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string },
): Promise<void> {
  const { actor, project } = await requireLiveProject(
    deps,
    request.caller,
    request.projectId,
    projectActions.delete,
  );
  const now = deps.clock.now();
  await change(deps, request, actor, project, projectDeleted, (transaction) =>
    updateProject(transaction, project.id, { trashedAt: now }, now),
  );
}

/** Until the worker has begun to empty the trash. A project outside the trash stays unchanged. */
export async function restoreProject(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly ifTaken?: 'refuse' | 'rename' },
): Promise<Project> {
  const { actor, project } = await authorizeProject(deps, request.caller, request.projectId);
  requireProject(actor, project, projectActions.delete);
  if (project.trashedAt === null) return project;
  const now = deps.clock.now();
  if (project.trashedAt <= trashEndsBefore(now)) throw callers.notFoundOrHidden();
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? project.name : numberedName(project.name, number);
    const restored = { ...project, name, trashedAt: null, updatedAt: now };
    try {
      await change(deps, request, actor, restored, projectRestored, (transaction) =>
        updateProject(transaction, project.id, { name, trashedAt: null }, now),
      );
      return restored;
    } catch (error) {
      const isTaken = error instanceof ProblemError && error.definition === nameTaken;
      if (!isTaken || request.ifTaken !== 'rename' || number === namesMax) throw error;
    }
  }
}

/** Numbers that are tried after a taken name. */
const namesMax = 100;

async function change(
  deps: StorageDeps,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  { id, name }: Project,
  kind: typeof projectCreated,
  write: (transaction: StorageDeps['database']) => Promise<void>,
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    await write(transaction).catch((error: unknown) => {
      if (violatedConstraint(error) === 'project_live_name') raiseNameTaken(name, error);
      throw error;
    });
    const detail = { projectId: id, name };
    await changes.recordActorEvent(transaction, deps, actor, { kind, at: deps.clock.now(), client, detail });
  });
}

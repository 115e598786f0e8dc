import { callers } from '../../access/index.ts';
import type { permissions } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { parseId } from '../../foundation/ids.ts';
import { pathsOf, projectActions, requireOnAny } from '../storage-actions.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { findProject } from './project-store.ts';
import type { Project } from './project.ts';

export type AuthorizeDeps = Pick<StorageDeps, 'authorities'> & { readonly database: Database };

/** For checks in a transaction with a known actor: a transaction must not wait for a second connection. */
export function within(transaction: Database, actor: callers.OrganizationActor): AuthorizeDeps {
  const known = async () => actor;
  return {
    database: transaction,
    authorities: { actorIn: known, presentActorIn: known, forget: () => {} },
  };
}

/** Raises the same `not_found` for an unknown project and for non-members of its organization. */
export async function authorizeProject(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  projectId: string,
): Promise<{ readonly actor: callers.OrganizationActor; readonly project: Project }> {
  const id = parseId<'project'>(projectId);
  const project = id.ok ? await findProject(deps.database, id.value) : null;
  if (project === null) throw callers.notFoundOrHidden();
  return { actor: await callers.authorizeOrganization(deps, caller, project.organization.key), project };
}

export function requireProject(
  actor: callers.OrganizationActor,
  { id, organization }: Project,
  action: permissions.Action,
): void {
  const resources = pathsOf({ organizationKey: organization.key, projectId: id, folders: [] });
  requireOnAny(actor, action, resources, { action: projectActions.read, resources });
}

/** A project in the trash is found only to restore it. */
export async function requireLiveProject(
  deps: AuthorizeDeps,
  caller: callers.Caller,
  projectId: string,
  action: permissions.Action,
): Promise<Awaited<ReturnType<typeof authorizeProject>>> {
  const entered = await authorizeProject(deps, caller, projectId);
  requireProject(entered.actor, entered.project, action);
  if (entered.project.trashedAt !== null) throw callers.notFoundOrHidden();
  return entered;
}

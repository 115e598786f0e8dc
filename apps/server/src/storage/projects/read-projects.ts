import { callers, permissions } from '../../access/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { foldName } from '../entry-name.ts';
import { projectActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { trashEndsBefore } from '../storage-deps.ts';
import { requireLiveProject } from './authorize-project.ts';
import { selectDeletedProjects, selectProjects } from './project-store.ts';
import type { Project } from './project.ts';

/** The projects of one organization that the caller may read. */
export async function listProjects<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly organizationKey: string; readonly page: PageQuery },
  present: (project: Project) => Shown,
): Promise<Page<Shown>> {
  const { authority, organization } = await callers.authorizeOrganization(
    deps,
    request.caller,
    request.organizationKey,
  );
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'project'>(),
    route: 'listProjects',
    tenant: organization.id,
    filters: null,
  });
  const parents = [permissions.resourceOf(organization.key)];
  const readable = permissions.coveredNames(authority, projectActions.read, parents, 'projects');
  const rows = await selectProjects(deps.database, organization, readable, page);
  const placed = rows.map((project) => ({ ...project, sortName: foldName(project.name) }));
  return presentPage(page, placed, present);
}

/** The deleted projects of one organization that the caller may restore. */
export async function listDeletedProjects<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly organizationKey: string; readonly page: PageQuery },
  present: (project: Project) => Shown,
): Promise<Page<Shown>> {
  const { authority, organization } = await callers.authorizeOrganization(
    deps,
    request.caller,
    request.organizationKey,
  );
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'project'>(),
    route: 'listDeletedProjects',
    tenant: organization.id,
    filters: null,
  });
  const parents = [permissions.resourceOf(organization.key)];
  const deletable = permissions.coveredNames(authority, projectActions.delete, parents, 'projects');
  const since = trashEndsBefore(deps.clock.now());
  const rows = await selectDeletedProjects(deps.database, organization, deletable, since, page);
  const placed = rows.map((project) => ({
    id: project.id,
    createdAt: project.trashedAt ?? project.createdAt,
    project,
  }));
  return presentPage(page, placed, ({ project }) => present(project));
}

export async function readProject(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string },
): Promise<Project> {
  return (await requireLiveProject(deps, request.caller, request.projectId, projectActions.read)).project;
}

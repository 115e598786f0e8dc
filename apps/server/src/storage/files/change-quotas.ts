import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { requireLiveProject } from '../projects/authorize-project.ts';
import { projectActions, quotaActions } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import type { PersonUsage, Quota, QuotaOwner } from './quota-store.ts';
import { findPersonUsage, readQuotas, selectPeopleUsage, setQuota } from './quota-store.ts';

export { readStoredBytes } from './quota-store.ts';

export const quotaChanged = defineAuditKind(
  'quota_changed',
  (word) => `You changed the storage quota of “${word('name')}”.`,
);

/** The bytes of a project with its versions, trash and reservations, and its quota. */
export async function readProjectUsage(
  deps: StorageDeps,
  { caller, projectId }: StorageRequest & { readonly projectId: string },
): Promise<Quota> {
  const { project } = await requireLiveProject(deps, caller, projectId, projectActions.read);
  return present(deps, { organization: project.organization.key, project: project.id });
}

async function present({ database }: StorageDeps, owner: QuotaOwner): Promise<Quota> {
  return (await readQuotas(database, owner)) ?? { bytes: 0, quotaBytes: null };
}

/** Null: no quota of its own. What is stored already remains; uploads beyond the quota are refused. */
export async function setProjectQuota(
  deps: StorageDeps,
  request: StorageRequest & { readonly projectId: string; readonly quotaBytes: number | null },
): Promise<Quota> {
  const { caller, projectId, quotaBytes } = request;
  const { actor, project } = await requireLiveProject(deps, caller, projectId, quotaActions.set);
  const owner = { organization: project.organization.key, project: project.id };
  const detail = { projectId: project.id, name: project.name };
  await change(deps, request, actor, { owner, quotaBytes, detail });
  return present(deps, owner);
}

/** The members of an organization with what counts for each of them. */
export async function listPeopleUsage<Shown>(
  deps: StorageDeps,
  request: StorageRequest & { readonly organizationKey: string; readonly page: PageQuery },
  show: (person: PersonUsage) => Shown,
): Promise<Page<Shown>> {
  const { organization } = await requireQuotas(deps, request);
  const page = readPageRequest(request.page, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'account'>(),
    route: 'listPeopleUsage',
    tenant: organization.id,
    filters: null,
  });
  return presentPage(page, await selectPeopleUsage(deps.database, organization.id, page), show);
}

/** Null: the default of the role. */
export async function setPersonQuota(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly organizationKey: string;
    readonly username: string;
    readonly quotaBytes: number | null;
  },
): Promise<PersonUsage> {
  const { username, quotaBytes } = request;
  const actor = await requireQuotas(deps, request);
  const { id, key } = actor.organization;
  const read = async (): Promise<PersonUsage> => {
    const person = await findPersonUsage(deps.database, id, username);
    if (person === null) throw callers.notFoundOrHidden();
    return person;
  };
  await read();
  const owner = { organization: key, person: username };
  await change(deps, request, actor, { owner, quotaBytes, detail: { name: username } });
  return read();
}

async function requireQuotas(
  deps: StorageDeps,
  { caller, organizationKey }: StorageRequest & { readonly organizationKey: string },
): Promise<callers.OrganizationActor> {
  const actor = await callers.authorizeOrganization(deps, caller, organizationKey);
  const resource = permissions.resourceOf(actor.organization.key, 'projects');
  callers.requirePermission(actor, quotaActions.set, resource);
  return actor;
}

async function change(
  deps: StorageDeps,
  { client }: StorageRequest,
  actor: callers.OrganizationActor,
  {
    owner,
    quotaBytes,
    detail,
  }: {
    readonly owner: QuotaOwner;
    readonly quotaBytes: number | null;
    readonly detail: { readonly name: string; readonly projectId?: string };
  },
): Promise<void> {
  await deps.database.transaction().execute(async (transaction) => {
    await setQuota(transaction, owner, quotaBytes);
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: quotaChanged,
      at: deps.clock.now(),
      client,
      detail: { ...detail, ...(quotaBytes !== null && { quotaBytes }) },
    });
  });
}

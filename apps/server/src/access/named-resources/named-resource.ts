import type { AuditEvent } from '../../audit/index.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { bigintRowId } from '../../foundation/pagination/row-id.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { nextNumber } from '../authorities/authority-store.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission, requirePermissionOn } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeEvent, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import type { policyActions } from '../core-permissions/core-actions.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import type { Resource } from '../permissions/resource.ts';
import { resourceOf } from '../permissions/resource.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import type { NamedRecord, NamedStore } from './named-resource-store.ts';

interface NamedKind<Found extends NamedRecord> {
  readonly noun: 'policy' | 'group';
  readonly collection: 'policies' | 'groups';
  readonly actions: typeof policyActions;
  readonly store: NamedStore<Found>;
  /** In one organization. */
  readonly countMax: number;
  /** Part of the cursors of the list. */
  readonly listRoute: string;
  readonly deleted: AuditEvent['kind'];
  /** Why one that is in use cannot be deleted. */
  readonly inUse: string;
}

/** Common to policies and groups: they are numbered, have a unique name, and cannot be deleted while in use. */
export class NamedResource<Found extends NamedRecord> {
  readonly #kind: NamedKind<Found>;

  constructor(kind: NamedKind<Found>) {
    this.#kind = kind;
  }

  readonly list = async <Shown>(
    deps: ReadDeps,
    caller: Caller,
    query: PageQuery & { readonly platform_key: string; readonly query?: string },
    present: (found: Found) => Shown,
  ): Promise<Page<Shown>> => {
    const { store, listRoute } = this.#kind;
    const { id: tenant } = await this.#requireListing(deps, caller, query.platform_key);
    const request = readPageRequest(query, {
      keys: deps.cursorKeys,
      ids: bigintRowId,
      route: listRoute,
      tenant,
      filters: query.query === undefined ? null : { query: query.query },
    });
    const found = await store.select(deps.database, tenant, request, query.query);
    return presentPage(
      request,
      found.map((one) => ({ id: BigInt(one.id), createdAt: one.createdAt, one })),
      ({ one }) => present(one),
    );
  };

  async read(
    deps: ReadDeps,
    caller: Caller,
    { platformKey, id }: { readonly platformKey: string; readonly id: number },
  ): Promise<{ readonly actor: OrganizationActor; readonly found: Found }> {
    const { actions, store } = this.#kind;
    const actor = await authorizeOrganization(deps, caller, platformKey);
    requirePermissionOn(actor, actions.read, this.#resource(actor, id), actions.read);
    const [found] = await store.find(deps.database, actor.organization.id, [id]);
    if (found === undefined) throw notFoundOrHidden();
    return { actor, found };
  }

  /** The existing numbers, for callers who may list them. */
  readonly readMany = async (
    deps: ReadDeps,
    caller: Caller,
    { platformKey, ids }: { readonly platformKey: string; readonly ids: readonly number[] },
  ): Promise<readonly Found[]> => {
    const { id } = await this.#requireListing(deps, caller, platformKey);
    return this.#kind.store.find(deps.database, id, ids);
  };

  /** With the next number of the organization; the caller has checked the permission. */
  async add<Added extends NamedRecord>(
    { transaction, actor, now }: Change,
    name: string,
    insert: (named: NamedRecord) => Promise<Added>,
  ): Promise<Added> {
    const { collection, countMax, store } = this.#kind;
    const { id: organizationId } = actor.organization;
    if ((await store.count(transaction, organizationId)) >= countMax)
      throw new ProblemError(conflict, `An organization can have at most ${countMax} ${collection}.`);
    const id = await nextNumber(transaction, organizationId, collection);
    return insert({ id, name, createdAt: now, updatedAt: now }).catch(this.raiseTakenName);
  }

  /** The state before a change that the caller may make. */
  async requireChangeable({ transaction, actor }: Change, id: number): Promise<Found> {
    const { actions, store } = this.#kind;
    requirePermissionOn(actor, actions.update, this.#resource(actor, id), actions.read);
    const [before] = await store.find(transaction, actor.organization.id, [id]);
    if (before === undefined) throw notFoundOrHidden();
    return before;
  }

  readonly remove = (deps: ChangeDeps, request: ChangeRequest & { readonly id: number }): Promise<void> => {
    const { id } = request;
    const { actions, store } = this.#kind;
    return changeOrganization(deps, request, async ({ transaction, actor }) => {
      requirePermissionOn(actor, actions.delete, this.#resource(actor, id), actions.read);
      const { id: organizationId } = actor.organization;
      const removed = await store.remove(transaction, organizationId, id).catch(this.#raiseInUse);
      if (!removed) throw notFoundOrHidden();
      return { result: undefined, event: this.deletedEvent(id) };
    });
  };

  readonly deletedEvent = (id: number): ChangeEvent => {
    const { deleted, noun } = this.#kind;
    return { kind: deleted, detail: { [`${noun}Id`]: id } };
  };

  readonly raiseTakenName = (error: unknown): never => {
    const { noun, store } = this.#kind;
    const constraint = `${store.table.replace('access.', '')}_organization_id_name_key`;
    if (violatedConstraint(error) !== constraint) throw error;
    throw new ProblemError(conflict, `A ${noun} with this name already exists.`, { cause: error });
  };

  readonly #raiseInUse = (error: unknown): never => {
    const { noun, inUse } = this.#kind;
    if (violatedConstraint(error)?.endsWith(`_${noun}_id_fkey`) !== true) throw error;
    throw new ProblemError(conflict, inUse, { cause: error });
  };

  #resource({ organization }: OrganizationActor, id: number): Resource {
    return resourceOf(organization.key, this.#kind.collection, String(id));
  }

  async #requireListing(
    deps: ReadDeps,
    caller: Caller,
    platformKey: string,
  ): Promise<OrganizationActor['organization']> {
    const { actions, collection } = this.#kind;
    const actor = await authorizeOrganization(deps, caller, platformKey);
    requirePermission(actor, actions.read, resourceOf(actor.organization.key, collection));
    return actor.organization;
  }
}

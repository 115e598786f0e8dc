import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { conflict, forbidden } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { accounts, memberships, organizations } from '../../identity/index.ts';
import { requireSecondFactor } from '../authorities/require-second-factor.ts';
import { notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { organizationActions } from '../core-permissions/core-actions.ts';
import type { Caller } from '../credentials/caller.ts';
import { resourceOf } from '../permissions/resource.ts';

export const organizationCreated = defineAuditKind('organization_created', 'You created an organization.');
export const organizationRenamed = defineAuditKind(
  'organization_renamed',
  (word) => `You renamed an organization to “${word('name')}”.`,
);

/** Its creator becomes its owner, and it becomes the creator's current organization. */
export async function createOrganization(
  deps: ChangeDeps & { readonly ownedOrganizationsMax: number },
  { caller, platformKey, client, name: written }: ChangeRequest & { readonly name: string },
): Promise<memberships.OwnOrganization> {
  requirePerson(caller);
  const key = organizations.requireOrganizationKey(platformKey);
  const name = organizations.requireOrganizationName(written);
  const { accountId } = caller;
  const createdAt = deps.clock.now();
  return deps.database.transaction().execute(async (transaction) => {
    await accounts.lockAccount(transaction, accountId);
    if ((await memberships.countOwnedOrganizations(transaction, accountId)) >= deps.ownedOrganizationsMax)
      throw new ProblemError(
        conflict,
        `You can own at most ${deps.ownedOrganizationsMax} organizations. Delete one, or transfer its ownership.`,
      );
    const own = { key, name, createdAt };
    const id = await organizations.createOwnedOrganization(transaction, deps.ids, accountId, own);
    if (id === null) throw new ProblemError(conflict, 'This key is taken. Choose another.');
    await organizations.setCurrentOrganization(transaction, accountId, { to: id });
    const event = { kind: organizationCreated, at: createdAt, accountId, organizationId: id, client };
    await recordAuditEvent(transaction, deps.ids, event);
    return { ...own, id, role: 'owner' };
  });
}

export async function renameOrganization(
  deps: ChangeDeps,
  request: ChangeRequest & { readonly name: string },
): Promise<{ readonly id: accounts.OrganizationId; readonly key: string; readonly name: string }> {
  return changeOrganization(deps, request, async ({ transaction, actor }) => {
    const { id, key } = actor.organization;
    requirePermission(actor, organizationActions.update, resourceOf(key));
    const name = organizations.requireOrganizationName(request.name);
    await organizations.updateOrganizationName(transaction, id, name);
    return { result: { id, key, name }, event: { kind: organizationRenamed, detail: { name } } };
  });
}

/** Switches the current organization: `organizationId` and `role` of tokens. It grants nothing. */
export async function switchOrganization(
  deps: Pick<ChangeDeps, 'database'>,
  caller: Caller,
  platformKey: string,
): Promise<memberships.Standing> {
  requirePerson(caller);
  const { accountId } = caller;
  return deps.database.transaction().execute(async (transaction) => {
    // A member who is removed concurrently must not keep it as current organization.
    await accounts.lockAccount(transaction, accountId);
    const standing = await memberships.findStanding(transaction, accountId, { key: platformKey });
    if (standing === null || standing.membership === null) throw notFoundOrHidden();
    requireSecondFactor(standing);
    await organizations.setCurrentOrganization(transaction, accountId, { to: standing.organizationId });
    return standing;
  });
}

/** A token belongs to one organization. */
export function requirePerson({ credential }: Caller): void {
  if (credential.kind === 'api_token')
    throw new ProblemError(forbidden, 'Platform tokens belong to one organization. Use an access token.');
}

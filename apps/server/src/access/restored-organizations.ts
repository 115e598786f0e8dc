import type { Database } from '../foundation/database/database.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { accounts, memberships, organizations } from '../identity/index.ts';
import { selectTokenIdsOf } from './credentials/platform-token-store.ts';
import { groupDeleted, groupUpdated } from './groups/group-resource.ts';
import { memberRoleChanged } from './members/change-role.ts';
import { memberLeft, memberRemoved } from './members/remove-member.ts';
import {
  organizationDeletionCancelled,
  organizationDeletionRequested,
} from './organizations/delete-organization.ts';
import { secondFactorRequired } from './organizations/second-factor-requirement.ts';
import { deleteTokensAndTheirPolicies } from './platform-tokens/policy-of-token.ts';
import { policyDeleted, policyUpdated } from './policies/policy-resource.ts';

type AccountId = accounts.AccountId;
type OrganizationId = accounts.OrganizationId;
type RestoreDeps = Parameters<typeof organizations.suspendOrganization>[1] & { readonly database: Database };

/**
 * What an event of the audit log means for a database that was restored to a time before it. `review`: an owner
 * compares the permissions, because an event does not contain what they were changed to.
 */
export type RevokingEvent =
  | 'member_left'
  | 'organization_deletion_requested'
  | 'organization_deletion_cancelled'
  | 'review';

/** By the name of the event. */
export const revokingEvents: ReadonlyMap<string, RevokingEvent> = new Map([
  [memberRemoved.name, 'member_left'],
  [memberLeft.name, 'member_left'],
  [organizationDeletionRequested.name, 'organization_deletion_requested'],
  [organizationDeletionCancelled.name, 'organization_deletion_cancelled'],
  ...[memberRoleChanged, groupUpdated, groupDeleted, policyUpdated, policyDeleted, secondFactorRequired].map(
    ({ name }) => [name, 'review'] as const,
  ),
]);

/** A member who left since the backup. `last_owner`: stays, because an organization must have an owner. */
export async function removeMemberAgain(
  { database, clock, ids }: RestoreDeps,
  { organizationId, accountId }: { readonly organizationId: OrganizationId; readonly accountId: AccountId },
): Promise<'removed' | 'last_owner' | 'unknown'> {
  return database.transaction().execute(async (transaction) => {
    if ((await organizations.findOrganization(transaction, organizationId)) === null) return 'unknown';
    await organizations.lockOrganization(transaction, organizationId);
    const usernames = await accounts.findUsernames(transaction, [accountId]);
    const [member] = await memberships.findMembers(transaction, organizationId, [...usernames.values()]);
    if (member === undefined) return 'unknown';
    if (memberships.isLastOwner(member, await memberships.listRemainingOwners(transaction, organizationId)))
      return 'last_owner';
    await memberships.leaveOrganization(transaction, { ids }, organizationId, member, clock.now());
    const tokenIds = await selectTokenIdsOf(transaction, organizationId, member.id);
    await deleteTokensAndTheirPolicies(transaction, organizationId, tokenIds);
    return 'removed';
  });
}

/** Due at the same time as before. Does nothing if the backup has the request, or does not have the organization. */
export async function suspendOrganizationAgain(
  { database, clock, ids }: RestoreDeps,
  asked: { readonly organizationId: OrganizationId; readonly requestedBy: AccountId },
  requestedAt: EpochMicroseconds,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if ((await organizations.findOrganization(transaction, asked.organizationId)) === null) return false;
    await organizations.lockOrganization(transaction, asked.organizationId);
    return (
      (await organizations.suspendOrganization(transaction, { clock, ids }, asked, requestedAt)) !== null
    );
  });
}

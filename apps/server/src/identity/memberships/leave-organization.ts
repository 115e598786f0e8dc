import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { OrganizationId } from '../accounts/account.ts';
import { cancelInvitations } from '../invitations/invitation-store.ts';
import type { LeavingMember } from '../organizations/create-organization.ts';
import { createOwnOrganization } from '../organizations/create-organization.ts';
import { setCurrentOrganization } from '../organizations/organization-store.ts';
import { deleteMembership, findOldestMembership } from './membership-store.ts';

/**
 * Requires the organization's lock. Invitations that the member sent end too. An account without another organization
 * gets its own, as at sign-up.
 */
export async function leaveOrganization(
  transaction: Database,
  { ids }: { readonly ids: IdSource },
  organizationId: OrganizationId,
  member: LeavingMember,
  now: EpochMicroseconds,
): Promise<void> {
  // Otherwise two concurrent removals would each take the other organization for the remaining one.
  await lockAccount(transaction, member.id);
  await deleteMembership(transaction, organizationId, member.id);
  await cancelInvitations(transaction, organizationId, { senderId: member.id }, now);
  const next =
    (await findOldestMembership(transaction, member.id)) ??
    (await createOwnOrganization(transaction, ids, member, now));
  await setCurrentOrganization(transaction, member.id, { from: organizationId, to: next });
}

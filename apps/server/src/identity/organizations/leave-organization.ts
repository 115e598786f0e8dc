import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { lockAccount } from '../accounts/account-store.ts';
import type { AccountId, OrganizationId, Username } from '../accounts/account.ts';
import { usernameVariant } from '../accounts/account.ts';
import { createOwnedOrganization } from './create-organization.ts';
import { cancelInvitations } from './invitation-store.ts';
import { deleteMembership } from './membership-store.ts';
import { findOldestMembership, setCurrentOrganization } from './organization-store.ts';

export interface LeavingMember {
  readonly id: AccountId;
  readonly username: Username;
  readonly name: string;
}

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

/** Its key is the username, or close to it if another organization has that key. */
export async function createOwnOrganization(
  transaction: Database,
  ids: IdSource,
  { id: accountId, username, name }: LeavingMember,
  createdAt: EpochMicroseconds,
): Promise<OrganizationId> {
  let key = username;
  for (;;) {
    const own = { key, name, createdAt };
    const organizationId = await createOwnedOrganization(transaction, ids, accountId, own);
    if (organizationId !== null) return organizationId;
    key = usernameVariant(username, randomBytes);
  }
}

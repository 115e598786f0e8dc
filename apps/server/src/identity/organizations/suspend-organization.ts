import type { Transaction } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { addMs } from '../../foundation/instant.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import { deletionGraceDays } from '../accounts/account.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import { createOwnOrganization } from './create-organization.ts';
import {
  insertOrganizationDeletion,
  listOwnerAddresses,
  lockMembers,
  moveMembersElsewhere,
  notifyMembers,
  takeOrganizationDeletion,
} from './organization-deletion-store.ts';
import { setCurrentOrganization } from './organization-store.ts';

/**
 * Requires the organization's lock. From now on only the owners who can restore it find the organization. Its members
 * switch to another organization; members without one get a new one, as at sign-up, since an account always has an
 * organization. Returns when the organization is removed; null if that was requested before.
 */
export async function suspendOrganization(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  { organizationId, requestedBy }: { organizationId: OrganizationId; requestedBy: AccountId },
  now: EpochMicroseconds,
): Promise<EpochMicroseconds | null> {
  const dueAt = addMs(now, deletionGraceDays * dayMs);
  await lockMembers(transaction, organizationId);
  const deletion = { organizationId, requestedBy, requestedAt: now, dueAt };
  if (!(await insertOrganizationDeletion(transaction, deletion))) return null;
  for (const member of await moveMembersElsewhere(transaction, organizationId)) {
    const own = await createOwnOrganization(transaction, deps.ids, member, now);
    await setCurrentOrganization(transaction, member.id, { to: own });
  }
  await notifyMembers(transaction, organizationId);
  await mailOwners(transaction, deps, 'organization_deletion_requested', organizationId);
  return dueAt;
}

/** Requires the organization's lock. False if it is not scheduled for deletion, or was deleted. */
export async function restoreOrganization(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  organizationId: OrganizationId,
): Promise<boolean> {
  if (!(await takeOrganizationDeletion(transaction, organizationId))) return false;
  await notifyMembers(transaction, organizationId);
  await mailOwners(transaction, deps, 'organization_deletion_cancelled', organizationId);
  return true;
}

async function mailOwners(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  kind: 'organization_deletion_requested' | 'organization_deletion_cancelled',
  subjectId: OrganizationId,
): Promise<void> {
  for (const recipient of await listOwnerAddresses(transaction, subjectId))
    await requestMail(transaction, deps, { kind, recipient, subjectId });
}

import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, InvitedRole, OrganizationId } from '../accounts/account.ts';
import type { EmailAddress, NormalisedEmail } from '../accounts/email-address.ts';

export type InvitationId = Id<'invitation'>;

export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly emailNormalised: NormalisedEmail;
  readonly role: InvitedRole;
  readonly accepted: boolean;
}

export async function insertInvitation(
  database: Database,
  invitation: {
    readonly id: InvitationId;
    readonly organizationId: OrganizationId;
    readonly email: EmailAddress;
    readonly role: InvitedRole;
    readonly invitedBy: AccountId;
    readonly createdAt: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('identity.invitation')
    .values({
      id: invitation.id,
      organization_id: invitation.organizationId,
      email: invitation.email.written,
      email_normalised: invitation.email.normalised,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      created_at: isoMicroseconds(invitation.createdAt),
    })
    .execute();
}

export async function findInvitation(database: Database, id: string): Promise<Invitation | null> {
  const row = await database
    .selectFrom('identity.invitation')
    .select(['id', 'organization_id', 'email_normalised', 'role', 'accepted_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as InvitationId,
    organizationId: row.organization_id as OrganizationId,
    emailNormalised: row.email_normalised as NormalisedEmail,
    role: row.role as InvitedRole,
    accepted: row.accepted_at !== null,
  };
}

/** False where somebody has accepted it already. */
export async function markInvitationAccepted(
  database: Database,
  id: InvitationId,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('identity.invitation')
    .set({ accepted_by: accountId, accepted_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

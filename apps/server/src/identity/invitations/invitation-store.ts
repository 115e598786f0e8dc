import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { EmailAddress, NormalisedEmail } from '../../foundation/mail/email-address.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { AccountId, InvitedRole, OrganizationId, Username } from '../accounts/account.ts';
import { isOfLiveKey } from '../accounts/live-key-store.ts';

export type InvitationId = Id<'invitation'>;

export interface Invitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: InvitedRole;
  /** The sender; for a platform token, its creator. */
  readonly sender: { readonly id: AccountId; readonly username: Username };
  readonly viaTokenId: string | null;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds;
}

export interface NewInvitation extends Omit<Invitation, 'email' | 'sender'> {
  readonly email: EmailAddress;
  readonly senderId: AccountId;
  /** The API key that created it, with which it ends. */
  readonly viaKeyId: string | null;
}

export async function insertInvitation(database: Database, invitation: NewInvitation): Promise<void> {
  await database
    .insertInto('identity.invitation')
    .values({
      id: invitation.id,
      organization_id: invitation.organizationId,
      email: invitation.email.written,
      email_normalised: invitation.email.normalised,
      role: invitation.role,
      invited_by: invitation.senderId,
      via_token_id: invitation.viaTokenId,
      via_key_id: invitation.viaKeyId,
      created_at: isoMicroseconds(invitation.createdAt),
      expires_at: isoMicroseconds(invitation.expiresAt),
    })
    .execute();
}

/** Neither accepted, cancelled nor expired, nor ended with its API key. Does not check whether its sender may still grant the role. */
function openInvitations(database: Database, now: EpochMicroseconds) {
  return database
    .selectFrom('identity.invitation as invitation')
    .innerJoin('identity.account as sender', 'sender.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.organization_id',
      'invitation.email',
      'invitation.role',
      'invitation.invited_by',
      'sender.username',
      'invitation.via_token_id',
      'invitation.created_at',
      'invitation.expires_at',
    ])
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.cancelled_at', 'is', null)
    .where('invitation.expires_at', '>', isoMicroseconds(now))
    .where(isOfLiveKey('invitation.via_key_id'));
}

type InvitationRow = Awaited<ReturnType<ReturnType<typeof openInvitations>['executeTakeFirstOrThrow']>>;

function invitationOf(row: InvitationRow): Invitation {
  return {
    id: row.id as InvitationId,
    organizationId: row.organization_id as OrganizationId,
    email: row.email,
    role: row.role as InvitedRole,
    sender: { id: row.invited_by as AccountId, username: row.username as Username },
    viaTokenId: row.via_token_id,
    createdAt: fromTimestamptz(row.created_at),
    expiresAt: fromTimestamptz(row.expires_at),
  };
}

export async function findOpenInvitation(
  database: Database,
  id: string,
  now: EpochMicroseconds,
): Promise<Invitation | null> {
  const row = await openInvitations(database, now).where('invitation.id', '=', id).executeTakeFirst();
  return row === undefined ? null : invitationOf(row);
}

/** The open invitation of an organization to an address. */
export async function findInvitationTo(
  database: Database,
  organizationId: OrganizationId,
  email: NormalisedEmail,
  now: EpochMicroseconds,
): Promise<Invitation | null> {
  const row = await openInvitations(database, now)
    .where('invitation.organization_id', '=', organizationId)
    .where('invitation.email_normalised', '=', email)
    .executeTakeFirst();
  return row === undefined ? null : invitationOf(row);
}

/** All of an organization, which has at most 500. */
export async function findOpenInvitations(
  database: Database,
  organizationId: OrganizationId,
  now: EpochMicroseconds,
): Promise<readonly Invitation[]> {
  const rows = await openInvitations(database, now)
    .where('invitation.organization_id', '=', organizationId)
    .execute();
  return rows.map(invitationOf);
}

export async function listOpenInvitations(
  database: Database,
  organizationId: OrganizationId,
  now: EpochMicroseconds,
  request: PageRequest<InvitationId>,
): Promise<readonly Invitation[]> {
  const query = openInvitations(database, now).where('invitation.organization_id', '=', organizationId);
  const columns = { createdAt: 'invitation.created_at', id: 'invitation.id' } as const;
  return (await selectPage(query, request, columns).execute()).map(invitationOf);
}

export async function countOpenInvitations(
  database: Database,
  organizationId: OrganizationId,
  now: EpochMicroseconds,
): Promise<number> {
  const { count } = await openInvitations(database, now)
    .where('invitation.organization_id', '=', organizationId)
    .clearSelect()
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Requires the organization's lock, and that the invitation was found open under it. */
export async function markInvitationAccepted(
  database: Database,
  id: InvitationId,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('identity.invitation')
    .set({ accepted_by: accountId, accepted_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .execute();
}

/** Those that an account sent, in any organization. */
export async function listInvitationsFrom(
  database: Database,
  senderId: AccountId,
  now: EpochMicroseconds,
  limit: number,
): Promise<readonly Invitation[]> {
  const rows = await openInvitations(database, now)
    .where('invitation.invited_by', '=', senderId)
    .orderBy('invitation.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(invitationOf);
}

/** In an organization, or with null in all of them: those that match all given fields. Returns how many were open. */
export async function cancelInvitations(
  database: Database,
  organizationId: OrganizationId | null,
  which: { readonly id?: string; readonly email?: NormalisedEmail; readonly senderId?: AccountId },
  now: EpochMicroseconds,
): Promise<number> {
  const { id, email, senderId } = which;
  if (id === undefined && email === undefined && senderId === undefined)
    throw new Error('which invitations are to be cancelled?');
  let open = database
    .updateTable('identity.invitation')
    .set({ cancelled_at: isoMicroseconds(now) })
    .where('accepted_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .where('expires_at', '>', isoMicroseconds(now));
  if (organizationId !== null) open = open.where('organization_id', '=', organizationId);
  if (id !== undefined) open = open.where('id', '=', id);
  if (email !== undefined) open = open.where('email_normalised', '=', email);
  if (senderId !== undefined) open = open.where('invited_by', '=', senderId);
  const { numUpdatedRows } = await open.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

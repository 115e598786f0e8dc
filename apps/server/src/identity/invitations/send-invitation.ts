import type { Transaction } from 'kysely';

import { hourMs } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { addMs, isoMilliseconds } from '../../foundation/instant.ts';
import { requireAdmission } from '../../foundation/limits/strict-admission.ts';
import type { StrictLimiter } from '../../foundation/limits/strict-limiter.ts';
import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { RecipientDeps } from '../../foundation/mail/mail-limits.ts';
import { admitRecipient } from '../../foundation/mail/mail-limits.ts';
import type { OrganizationId } from '../accounts/account.ts';
import type { CredentialKind } from '../credentials/credential-kind.ts';
import { mailedTokenMs } from '../mail/mailed-token-store.ts';
import type { RequestMailDeps } from '../mail/request-mail.ts';
import { requestMail } from '../mail/request-mail.ts';
import type { InvitationId, NewInvitation } from './invitation-store.ts';
import { cancelInvitations, insertInvitation, listInvitationsFrom } from './invitation-store.ts';

/** Over all its members and tokens: a token must not become a way to send mail to the world. */
export const invitationLimit = { name: 'invitation', admittedMax: 100, windowMs: hourMs } as const;

export interface InvitationLimitDeps extends RecipientDeps {
  readonly invitationLimiter: StrictLimiter;
}

/** Checked before an invitation is sent, after the permission. */
export async function admitInvitation(
  deps: InvitationLimitDeps,
  organizationId: OrganizationId,
  writtenEmail: string,
): Promise<EmailAddress> {
  const email = requireEmailAddress(writtenEmail);
  const detail = 'The organization has sent too many invitations.';
  await requireAdmission(deps.invitationLimiter, organizationId, detail);
  await admitRecipient(deps, email);
  return email;
}

/** Requires the organization's lock. Replaces an open invitation to the same address. */
export async function sendInvitation(
  transaction: Transaction<DB>,
  deps: RequestMailDeps,
  request: Omit<NewInvitation, 'id' | 'expiresAt'>,
): Promise<Pick<NewInvitation, 'id' | 'expiresAt'>> {
  const { organizationId, email, createdAt } = request;
  const id: InvitationId = deps.ids.next();
  const expiresAt = addMs(createdAt, mailedTokenMs.join_organization);
  await cancelInvitations(transaction, organizationId, { email: email.normalised }, createdAt);
  await insertInvitation(transaction, { ...request, id, expiresAt });
  await requestMail(transaction, deps, {
    kind: 'join_organization',
    recipient: email.written,
    subjectId: id,
  });
  return { id, expiresAt };
}

export const invitations: CredentialKind = {
  name: 'open invitations',
  columns: ['identity.invitation.invited_by'],
  effects: {
    password_change: { stays: 'Their receivers were chosen by someone who knew the password.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: 'ends',
  },
  list: async (database, { accountId, now, limit }) =>
    (await listInvitationsFrom(database, accountId, now, limit)).map(({ id, email, role, createdAt }) => ({
      id,
      name: `${email}, as ${role}`,
      createdAt: isoMilliseconds(createdAt),
      lastUsedAt: null,
      origin: null,
    })),
  end: async (transaction, { clock }, { accountId: senderId, organizationIds, event, only }) => {
    const own = { senderId, ...(only !== null && { id: only }) };
    // A superuser invites to organizations of others too.
    const where = event === 'removal_from_organization' ? organizationIds : [null];
    for (const organizationId of where)
      await cancelInvitations(transaction, organizationId, own, clock.now());
  },
};

import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AccountId, OrganizationId, Role } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import { findMailedToken, useMailedToken } from '../mail/mailed-token-store.ts';
import { findInvitation, markInvitationAccepted } from './invitation-store.ts';
import { findOrganizationName, insertMemberships, setCurrentOrganization } from './organization-store.ts';

export interface AcceptInvitationDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
}

export interface AcceptRequest {
  /** From the link. Holding it proves the invited address; the account may have another. */
  readonly token: string;
  readonly accountId: AccountId;
  readonly client: Client;
}

/** What the link of an invitation leads to: shown before it is used. */
export async function readInvitationLink(
  { database, clock }: Pick<AcceptInvitationDeps, 'database' | 'clock'>,
  token: string,
): Promise<{ readonly organizationName: string; readonly role: Role } | null> {
  const id = await findMailedToken(database, 'join_organization', token, clock.now());
  const invitation = id === null ? null : await findInvitation(database, id);
  if (invitation === null || invitation.accepted) return null;
  const organizationName = await findOrganizationName(database, invitation.organizationId);
  return organizationName === null ? null : { organizationName, role: invitation.role };
}

/** An account that exists joins, and works there from now on. */
export async function acceptInvitation(
  { database, clock, ids }: AcceptInvitationDeps,
  { token, accountId, client }: AcceptRequest,
): Promise<OrganizationId> {
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    const subjectId = await useMailedToken(transaction, 'join_organization', token, now);
    const invitation = subjectId === null ? null : await findInvitation(transaction, subjectId);
    if (invitation === null || !(await markInvitationAccepted(transaction, invitation.id, accountId, now)))
      throw new ProblemError(invalidLink, 'the invitation is not valid any more');
    const { organizationId, role } = invitation;
    await insertMemberships(transaction, { accountId, organizationId, role, createdAt: now });
    await setCurrentOrganization(transaction, accountId, organizationId);
    await recordAuditEvent(transaction, ids, {
      kind: 'account_joined_organization',
      at: now,
      accountId,
      organizationId,
      client,
      detail: { invitationId: invitation.id, role },
    });
    return organizationId;
  });
}

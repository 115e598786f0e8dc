import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import { invalidLink } from '../identity-problems.ts';
import { useMailedToken } from '../mail/mailed-token-store.ts';
import { findInvitation, markInvitationAccepted } from './invitation-store.ts';
import { insertMemberships, setCurrentOrganization } from './organization-store.ts';

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

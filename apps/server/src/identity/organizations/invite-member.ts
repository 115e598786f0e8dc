import type { Database } from '../../foundation/database/database.ts';
import { forbidden, invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { InvitedRole, OrganizationId } from '../accounts/account.ts';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import type { Principal } from '../credentials/principal.ts';
import type { RequestMailDeps } from '../mail/mail-workflow.ts';
import { requestMail } from '../mail/mail-workflow.ts';
import type { InvitationId } from './invitation-store.ts';
import { insertInvitation } from './invitation-store.ts';

/** Who may do what in an organization is decided elsewhere; wiring hands the decision in. */
export type Authorize = (
  principal: Principal,
  action: 'invite_member',
  organizationId: OrganizationId,
  /** Which it would give. */
  role: InvitedRole,
) => Promise<boolean>;

export interface InviteMemberDeps extends RequestMailDeps {
  readonly database: Database;
  readonly authorize: Authorize;
}

export interface InviteRequest {
  readonly principal: Principal;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: InvitedRole;
  readonly client: Client;
}

/** Sends a link by mail; whoever follows it joins, with the account they have or with a new one. */
export async function inviteMember(deps: InviteMemberDeps, request: InviteRequest): Promise<InvitationId> {
  const { principal, organizationId, role, client } = request;
  if (!(await deps.authorize(principal, 'invite_member', organizationId, role)))
    throw new ProblemError(forbidden, `you may not invite to this organization as ${role}`);
  const email = parseEmailAddress(request.email);
  if (!email.ok) throw new ProblemError(invalidRequest, 'email is not an e-mail address');
  const id: InvitationId = deps.ids.next();
  const createdAt = deps.clock.now();
  const accountId = principal.account.id;
  await deps.database.transaction().execute(async (transaction) => {
    await insertInvitation(transaction, {
      id,
      organizationId,
      email: email.value,
      role,
      invitedBy: accountId,
      createdAt,
    });
    await requestMail(transaction, deps, {
      kind: 'join_organization',
      recipient: email.value.written,
      subjectId: id,
    });
    await recordAuditEvent(transaction, deps.ids, {
      kind: 'member_invited',
      at: createdAt,
      accountId,
      organizationId,
      client,
      detail: { invitationId: id, role },
    });
  });
  return id;
}

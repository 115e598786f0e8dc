import type { Database } from '../../foundation/database/database.ts';
import { forbidden, invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { InvitedRole, OrganizationId } from '../accounts/account.ts';
import { invitedRoles } from '../accounts/account.ts';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { recordAuditEvent } from '../audit/audit-store.ts';
import type { Client } from '../client.ts';
import type { Actor } from '../credentials/principal.ts';
import type { RecipientDeps } from '../mail/mail-limits.ts';
import { admitRecipient } from '../mail/mail-limits.ts';
import type { RequestMailDeps } from '../mail/mail-workflow.ts';
import { requestMail } from '../mail/mail-workflow.ts';
import type { InvitationId } from './invitation-store.ts';
import { insertInvitation } from './invitation-store.ts';

/** Who may do what in an organization is decided elsewhere; wiring hands the decision in. */
export type Authorize = (
  principal: Actor,
  action: 'invite_member',
  organizationId: OrganizationId,
  /** Which it would give. */
  role: InvitedRole,
) => Promise<boolean>;

export interface InviteMemberDeps extends RequestMailDeps, RecipientDeps {
  readonly database: Database;
  readonly authorize: Authorize;
}

export interface InviteRequest {
  readonly principal: Actor;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: InvitedRole;
  readonly client: Client;
}

/** As what somebody may invite others, for the form that offers it; the use case asks again. */
export async function rolesToInviteAs(
  { authorize }: Pick<InviteMemberDeps, 'authorize'>,
  principal: Actor,
  organizationId: OrganizationId,
): Promise<readonly InvitedRole[]> {
  const allowed: InvitedRole[] = [];
  for (const role of invitedRoles)
    if (await authorize(principal, 'invite_member', organizationId, role)) allowed.push(role);
  return allowed;
}

/** Sends a link by mail; whoever follows it joins, with the account they have or with a new one. */
export async function inviteMember(deps: InviteMemberDeps, request: InviteRequest): Promise<InvitationId> {
  const { principal, organizationId, role, client } = request;
  if (!(await deps.authorize(principal, 'invite_member', organizationId, role)))
    throw new ProblemError(forbidden, `you may not invite to this organization as ${role}`);
  const email = parseEmailAddress(request.email);
  if (!email.ok)
    throw new ProblemError(invalidRequest, 'email is not an e-mail address', {
      errors: [{ in: 'body', name: 'email', message: 'is not an e-mail address' }],
    });
  await admitRecipient(deps, email.value);
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

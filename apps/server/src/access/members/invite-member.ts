import { defineAuditKind } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import { invitations } from '../../identity/index.ts';
import type { AuthorizeDeps } from '../callers/authorize-organization.ts';
import { authorizeOrganization, notFoundOrHidden } from '../callers/authorize-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { Change, ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { mayInviteAs } from '../changes/invitation-sender.ts';
import { recordActorEvent } from '../changes/record-actor-event.ts';
import { requireWithin } from '../changes/require-within.ts';
import { memberActions } from '../core-permissions/core-actions.ts';
import { policiesOfRole } from '../core-permissions/role-policies.ts';
import type { Caller, OrganizationActor } from '../credentials/caller.ts';
import { resourceOf } from '../permissions/resource.ts';
import { moveSharesOfInvitation } from '../shares/share-store.ts';

export const memberInvited = defineAuditKind(
  'member_invited',
  (word) => `You sent an invitation with the role ${word('role')}.`,
);

export interface InviteMemberDeps extends ChangeDeps, AuthorizeDeps, invitations.InvitationLimitDeps {}

export interface InviteRequest extends ChangeRequest {
  readonly email: string;
  readonly role: accounts.InvitedRole;
  /** A required open invitation to the same address. */
  readonly replaces?: invitations.InvitationId;
}

const openInvitationsMax = 500;
const invitedRoles: readonly accounts.InvitedRole[] = ['member', 'viewer', 'guest', 'admin'];

/** The roles that the caller may invite to, for the form; the use case checks again. */
export async function rolesToInviteAs(
  deps: AuthorizeDeps,
  caller: Caller,
  platformKey: string,
): Promise<readonly accounts.InvitedRole[]> {
  const actor = await authorizeOrganization(deps, caller, platformKey);
  return invitedRoles.filter((role) => mayInviteAs(actor, role));
}

/** Mails a link with which the recipient joins, with an existing or a new account. */
export async function inviteMember(
  deps: InviteMemberDeps,
  request: InviteRequest,
): Promise<invitations.Invitation> {
  const { role } = request;
  // Also checked here, so that callers without the permission use up no limits.
  const asking = await authorizeOrganization(deps, request.caller, request.platformKey);
  requireInviting(asking, role);
  const email = await invitations.admitInvitation(deps, asking.organization.id, request.email);
  return changeOrganization(deps, request, async (change) => {
    requireInviting(change.actor, role);
    const { replaces } = request;
    const { id } = change.actor.organization;
    if (replaces !== undefined) await requireOpenInvitation(change.transaction, id, replaces, change.now);
    const result = await sendWithin(deps, change, { email, role, isNew: replaces === undefined });
    return { result, event: { kind: memberInvited, detail: { invitationId: result.id, role } } };
  });
}

async function sendWithin(
  deps: InviteMemberDeps,
  { transaction, actor, now: createdAt }: Change,
  { email, role, isNew }: { email: EmailAddress; role: accounts.InvitedRole; isNew: boolean },
): Promise<invitations.Invitation> {
  const { caller, organization } = actor;
  const { accountId: senderId, username, credential } = caller;
  const via = {
    viaTokenId: credential.kind === 'api_token' ? credential.tokenId : null,
    viaKeyId: credential.kind === 'api_key' ? credential.keyId : null,
  };
  const open = await invitations.countOpenInvitations(transaction, organization.id, createdAt);
  if (isNew && open >= openInvitationsMax)
    throw new ProblemError(
      conflict,
      `An organization can have at most ${openInvitationsMax} open invitations. Cancel some first.`,
    );
  const { normalised } = email;
  const before = await invitations.findInvitationTo(transaction, organization.id, normalised, createdAt);
  const invitation = { organizationId: organization.id, email, role, senderId, ...via, createdAt };
  const sent = await invitations.sendInvitation(transaction, deps, invitation);
  if (before !== null) await moveSharesOfInvitation(transaction, before.id, sent.id);
  const sender = { id: senderId, username: username as invitations.Invitation['sender']['username'] };
  return { ...invitation, ...sent, email: email.written, sender };
}

/** Checked before something is shared with an address: whether a mail may be sent to it, if one is needed. */
export async function admitGuest(
  deps: InviteMemberDeps,
  request: Pick<ChangeRequest, 'caller' | 'platformKey'> & { readonly email: string },
): Promise<EmailAddress> {
  const email = requireEmailAddress(request.email);
  const actor = await authorizeOrganization(deps, request.caller, request.platformKey);
  const { id } = actor.organization;
  const open = await invitations.findInvitationTo(deps.database, id, email.normalised, deps.clock.now());
  if (open !== null) return email;
  requireInviting(actor, 'guest');
  return invitations.admitInvitation(deps, id, request.email);
}

/** For a change that grants something to an address: its open invitation, by any sender, or a new one as guest. */
export async function inviteGuest(
  deps: InviteMemberDeps,
  change: Change,
  email: EmailAddress,
  client: ChangeRequest['client'],
): Promise<invitations.Invitation> {
  const { transaction, actor, now } = change;
  const { id } = actor.organization;
  const open = await invitations.findInvitationTo(transaction, id, email.normalised, now);
  if (open !== null) return open;
  requireInviting(actor, 'guest');
  const sent = await sendWithin(deps, change, { email, role: 'guest', isNew: true });
  const detail = { invitationId: sent.id, role: sent.role };
  await recordActorEvent(transaction, deps, actor, { kind: memberInvited, at: now, client, detail });
  return sent;
}

/** The same invitation with a new link and a new week, from the new sender; the old link ends. */
export async function resendInvitation(
  deps: InviteMemberDeps,
  request: ChangeRequest & { readonly invitationId: invitations.InvitationId },
): Promise<invitations.Invitation> {
  const { invitationId, ...asked } = request;
  const actor = await authorizeOrganization(deps, request.caller, request.platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
  const { email, role } = await requireOpenInvitation(deps.database, id, invitationId, deps.clock.now());
  return inviteMember(deps, { ...asked, email, role, replaces: invitationId });
}

async function requireOpenInvitation(
  database: Database,
  organizationId: accounts.OrganizationId,
  invitationId: invitations.InvitationId,
  now: EpochMicroseconds,
): Promise<invitations.Invitation> {
  const invitation = await invitations.findOpenInvitation(database, invitationId, now);
  if (invitation === null || invitation.organizationId !== organizationId) throw notFoundOrHidden();
  return invitation;
}

function requireInviting(actor: OrganizationActor, role: accounts.InvitedRole): void {
  const { key } = actor.organization;
  requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
  requireWithin(actor, policiesOfRole(role, key), 'role');
}

import { defineAuditKind } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { conflict } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { Identity, accounts } from '../../identity/index.ts';
import { organizations } from '../../identity/index.ts';
import type { Caller, OrganizationActor } from '../callers/caller.ts';
import type { EnterDeps } from '../callers/enter-organization.ts';
import { enterOrganization, notFoundOrHidden } from '../callers/enter-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import type { ChangeDeps, ChangeRequest } from '../changes/change-organization.ts';
import { changeOrganization } from '../changes/change-organization.ts';
import { requireWithin } from '../changes/require-within.ts';
import { allows, compileAuthority } from '../permissions/authority.ts';
import { memberActions } from '../permissions/core-actions.ts';
import { escalationOf } from '../permissions/escalation.ts';
import { resourceOf } from '../permissions/resource.ts';
import { policiesOfRole } from '../permissions/role-policies.ts';

export const memberInvited = defineAuditKind(
  'member_invited',
  (word) => `You invited somebody as ${word('role')}.`,
);

export interface InviteMemberDeps
  extends ChangeDeps, EnterDeps, organizations.InvitationLimitDeps, Pick<Identity, 'engine'> {}

export interface InviteRequest extends ChangeRequest {
  readonly email: string;
  readonly role: accounts.InvitedRole;
  /** An invitation to the same address that must still be open. */
  readonly replaces?: organizations.InvitationId;
}

const openInvitationsMax = 500;
const invitedRoles: readonly accounts.InvitedRole[] = ['member', 'viewer', 'admin'];

/** Whoever lets somebody in gives a role: it must lie within what they may do. */
export function mayInviteAs(
  { authority, organization }: OrganizationActor,
  role: accounts.InvitedRole,
): boolean {
  const { key } = organization;
  return (
    allows(authority, memberActions.create, resourceOf(key, 'members')) &&
    escalationOf(authority, compileAuthority(policiesOfRole(role, key))) === null
  );
}

/** As what somebody may invite others, for the form that offers it; the use case asks again. */
export async function rolesToInviteAs(
  deps: EnterDeps,
  caller: Caller,
  platformKey: string,
): Promise<readonly accounts.InvitedRole[]> {
  const actor = await enterOrganization(deps, caller, platformKey);
  return invitedRoles.filter((role) => mayInviteAs(actor, role));
}

/** Sends a link by mail; whoever follows it joins, with the account they have or with a new one. */
export async function inviteMember(
  deps: InviteMemberDeps,
  request: InviteRequest,
): Promise<organizations.Invitation> {
  const { role } = request;
  // Asked here too, so that whoever may not invite uses up no limits.
  const asking = await enterOrganization(deps, request.caller, request.platformKey);
  requireInviting(asking, role);
  const email = await organizations.admitInvitation(deps, asking.organization.id, request.email);
  return changeOrganization(deps, request, async ({ transaction, actor, now: createdAt }) => {
    requireInviting(actor, role);
    const { caller, organization } = actor;
    const { accountId: senderId, username, credential } = caller;
    const viaTokenId = credential.kind === 'api_token' ? credential.tokenId : null;
    const { replaces } = request;
    if (replaces !== undefined)
      await requireOpenInvitation(transaction, organization.id, replaces, createdAt);
    const open = await organizations.countOpenInvitations(transaction, organization.id, createdAt);
    if (replaces === undefined && open >= openInvitationsMax)
      throw new ProblemError(
        conflict,
        `an organization has at most ${openInvitationsMax} open invitations; cancel some`,
      );
    const invitation = { organizationId: organization.id, email, role, senderId, viaTokenId, createdAt };
    const sent = await organizations.sendInvitation(transaction, deps, invitation);
    const sender = { id: senderId, username: username as organizations.Invitation['sender']['username'] };
    return {
      result: { ...invitation, ...sent, email: email.written, sender },
      event: { kind: memberInvited, detail: { invitationId: sent.id, role } },
    };
  });
}

/** The same invitation with a new link and a new week, from whoever sends it again; the old link ends. */
export async function resendInvitation(
  deps: InviteMemberDeps,
  request: ChangeRequest & { readonly invitationId: organizations.InvitationId },
): Promise<organizations.Invitation> {
  const { invitationId, ...asked } = request;
  const actor = await enterOrganization(deps, request.caller, request.platformKey);
  const { id, key } = actor.organization;
  requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
  const { email, role } = await requireOpenInvitation(deps.database, id, invitationId, deps.clock.now());
  return inviteMember(deps, { ...asked, email, role, replaces: invitationId });
}

async function requireOpenInvitation(
  database: Database,
  organizationId: accounts.OrganizationId,
  invitationId: organizations.InvitationId,
  now: EpochMicroseconds,
): Promise<organizations.Invitation> {
  const invitation = await organizations.findOpenInvitation(database, invitationId, now);
  if (invitation === null || invitation.organizationId !== organizationId) throw notFoundOrHidden();
  return invitation;
}

function requireInviting(actor: OrganizationActor, role: accounts.InvitedRole): void {
  const { key } = actor.organization;
  requirePermission(actor, memberActions.create, resourceOf(key, 'members'));
  requireWithin(actor, policiesOfRole(role, key), 'role');
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { members } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { accounts } from '../../../identity/index.ts';
import { field, form, instant, notice, radios, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  olderLink,
  organizationParams,
  platformPath,
} from './platform-frame.ts';
import { roleMeanings } from './role-meanings.ts';

type InvitationId = Parameters<typeof members.cancelInvitation>[1]['invitationId'];

const InvitationParams = Type.Object({ ...organizationParams, id: Type.String({ pattern: idForm.source }) });
const Invitation = closedObject({
  email: Type.Optional(Type.String({ maxLength: 320 })),
  role: Type.Union([
    Type.Literal('member'),
    Type.Literal('viewer'),
    Type.Literal('guest'),
    Type.Literal('admin'),
  ]),
});

/** The submitted values of a refused form. */
export interface InvitationFields {
  readonly email?: string;
  readonly role?: accounts.InvitedRole;
}

/** Shows the members again, with a message. */
type ShowMembers = (
  visitor: Visitor,
  options: InvitationFields & {
    readonly org: string;
    readonly news?: string;
    readonly problem?: ProblemError;
  },
) => Promise<PersonalPage>;

export function invitationForms(tools: PlatformTools, show: ShowMembers): readonly RouteDeclaration[] {
  return [inviteForm(tools, show), resendForm(tools, show), cancelForm(tools, show)];
}

function inviteForm(tools: PlatformTools, show: ShowMembers): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/invitations',
    operationId: 'inviteMember',
    surface: tools.mailForms,
    params: OrganizationParams,
    body: Invitation,
    problems: [forbidden, notFound, conflict],
    show: async ({ visitor, params: { org }, body, client }) => {
      const email = body.email ?? '';
      await members.inviteMember(tools.access, {
        ...changeOf(visitor, org, client),
        email,
        role: body.role,
      });
      return show(visitor, { org, news: onItsWay(email) });
    },
    refused: async ({ visitor, params: { org }, body }, problem) => show(visitor, { org, problem, ...body }),
  });
}

function onItsWay(email: string): string {
  const news = html`Invitation sent to <strong>${email}</strong>. It can be used once and expires after one
    week.`;
  return notice('good', news);
}

function resendForm(tools: PlatformTools, show: ShowMembers): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/invitations/{id}/resend',
    operationId: 'resendInvitationOnPage',
    surface: tools.mailForms,
    params: InvitationParams,
    problems: [forbidden, notFound],
    show: async ({ visitor, params: { org, id }, client }) => {
      const { email } = await members.resendInvitation(tools.access, {
        ...changeOf(visitor, org, client),
        invitationId: id as InvitationId,
      });
      return show(visitor, { org, news: onItsWay(email) });
    },
    refused: async ({ visitor, params: { org } }, problem) => show(visitor, { org, problem }),
  });
}

function cancelForm(tools: PlatformTools, show: ShowMembers): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/invitations/{id}/cancel',
    operationId: 'cancelInvitationOnPage',
    params: InvitationParams,
    problems: [forbidden, notFound],
    show: async ({ visitor, params: { org, id }, client }) => {
      await members.cancelInvitation(tools.access, {
        ...changeOf(visitor, org, client),
        invitationId: id as InvitationId,
      });
      return { to: platformPath(org, 'members') };
    },
    refused: async ({ visitor, params: { org } }, problem) => show(visitor, { org, problem }),
  });
}

/** Open invitations and the form to invite a member, for members with the permission. */
export async function invitationSection(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  filled: InvitationFields,
  { problem, cursor }: { readonly problem: ProblemError | undefined; readonly cursor: string | undefined },
): Promise<string> {
  const roles = await members.rolesToInviteAs(tools.access, callerOfVisitor(visitor), org);
  if (roles.length === 0) return html`<p class="hint">Only owners and admins can invite members.</p>`;
  const fields =
    field({
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      hint: 'The recipient does not need an account.',
      value: filled.email ?? '',
      autocomplete: 'off',
      maxLength: 320,
      problem,
    }) +
    radios({
      name: 'role',
      label: 'Role',
      options: roles.map((role) => ({ value: role, label: roleMeanings[role] })),
      chosen: [filled.role ?? 'member'],
    });
  return html`!${await openInvitations(tools, visitor, org, cursor)}
    <h2 id="invite">Invite member</h2>
    !${form({ action: platformPath(org, 'invitations'), submit: 'Send invitation', fields })}`;
}

async function openInvitations(
  { access }: PlatformTools,
  visitor: Visitor,
  org: string,
  cursor: string | undefined,
): Promise<string> {
  const query = { platform_key: org, ...(cursor !== undefined && { cursor }) };
  const caller = callerOfVisitor(visitor);
  const { data, pagination } = await members.listInvitations(access, caller, query, (invitation) => {
    const { id, email } = invitation;
    const here = platformPath(org, 'invitations', id);
    return [
      html`${email}`,
      html`${invitation.role}`,
      html`<code>${invitation.sender.username}</code>`,
      instant(isoMilliseconds(invitation.expiresAt)),
      html`<div class="row">
        !${form({ action: `${here}/resend`, submit: 'Resend', label: `Resend the invitation to ${email}`, small: true })}
        !${form({ action: `${here}/cancel`, submit: 'Cancel', label: `Cancel the invitation to ${email}`, small: true, dangerous: true })}
      </div>`,
    ];
  });
  if (data.length === 0) return '';
  const columns = ['E-mail address', 'Role', 'Invited by', 'Expires', 'Change'];
  const caption = 'Each invitation can be used once. Newest first.';
  return html`<h2>Open invitations</h2>
    !${table({ caption, columns, rows: data, empty: '' })}
    !${olderLink(pagination, {}, 'Older invitations', 'invitations')}`;
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { forbidden } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import { credentials, useCases } from '../../identity/index.ts';
import { field, form, instant, notice, problemNotice, select, table } from '../form-controls.ts';
import type { PersonalPage, PersonalTools } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import { actorOf } from '../visitor.ts';
import { accountPage } from './account-frame.ts';

type InvitedRole = Parameters<typeof useCases.inviteMember>[1]['role'];

const path = '/account/organization';
const membersMax = 500;
const meanings: Readonly<Record<InvitedRole, string>> = {
  member: 'member: works with what is there',
  viewer: 'viewer: reads what is there',
  admin: 'admin: also invites others',
};
const Invitation = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 320 })),
    role: Type.Union([Type.Literal('member'), Type.Literal('viewer'), Type.Literal('admin')]),
  },
  { additionalProperties: false },
);

export function organizationPages(tools: PersonalTools): readonly RouteDeclaration[] {
  const { identity } = tools;
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showOrganization',
      summary: 'Who is in the organization that the account works in.',
      show: async ({ visitor }) => organizationPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: `${path}/invite`,
      operationId: 'inviteMember',
      summary: 'Sends an invitation by mail.',
      surface: tools.mailForms,
      body: Invitation,
      problems: [forbidden],
      show: async ({ visitor, body, request }) => {
        const email = body.email ?? '';
        await useCases.inviteMember(identity, {
          principal: actorOf(visitor),
          organizationId: visitor.account.organizationId,
          email,
          role: body.role,
          client: credentials.clientOf(request),
        });
        const news = html`An invitation is on its way to <strong>${email}</strong>. It works once, for a week.`;
        return organizationPage(tools, visitor, { news: notice('good', news) });
      },
      refused: async ({ visitor, body }, problem) =>
        organizationPage(tools, visitor, { problem, email: body.email ?? '' }),
    }),
  ];
}

interface OrganizationPageOptions {
  readonly news?: string;
  readonly problem?: ProblemError | null;
  readonly email?: string;
}

async function organizationPage(
  tools: PersonalTools,
  visitor: Visitor,
  { news = '', problem = null, email = '' }: OrganizationPageOptions = {},
): Promise<PersonalPage> {
  const { identity } = tools;
  const { organizationId } = visitor.account;
  const name = await useCases.findOrganizationName(identity.database, organizationId);
  const members = await useCases.listFirstMembers(identity.database, organizationId, membersMax);
  const rows = members.map((member) => [
    html`${member.name}`,
    html`<code>${member.username}</code>`,
    html`${member.role}`,
    instant(isoMilliseconds(member.createdAt)),
  ]);
  const roles = await useCases.rolesToInviteAs(identity, actorOf(visitor), organizationId);
  return accountPage(tools, visitor, path, {
    title: name ?? 'Organization',
    main: html`<p>The organization that you work in.</p>
      !${news} !${problemNotice(problem)}
      !${table({ caption: 'Who came first stands first.', columns: ['Name', 'Username', 'Role', 'Since'], rows, empty: 'Nobody is here.' })}
      !${roles.length > 0 ? invitationForm(roles, email, problem) : html`<p class="hint">Owners and admins invite others.</p>`}`,
  });
}

function invitationForm(roles: readonly InvitedRole[], email: string, problem: ProblemError | null): string {
  const fields =
    field(
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        hint: 'With an account or without one: the mail leads both to the right page.',
        value: email,
        autocomplete: 'off',
        maxLength: 320,
      },
      problem,
    ) +
    select({
      name: 'role',
      label: 'Role',
      options: roles.map((role) => ({ value: role, label: meanings[role] })),
      chosen: ['member'],
    });
  return html`<h2>Invite somebody</h2>
    !${form({ action: `${path}/invite`, submit: 'Send invitation', fields })}`;
}

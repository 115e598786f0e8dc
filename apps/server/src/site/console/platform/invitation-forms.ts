import { html } from 'ghtml';
import { Type } from 'typebox';

import { members } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { idForm } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { accounts } from '../../../identity/index.ts';
import { field, form, notice, problemNotice, radios } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { dialog, opensDialog } from '../components/dialog.ts';
import { ago } from '../components/moments.ts';
import { buttonLink, tabs } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  PageLinkQuery,
  callerOfVisitor,
  changeOf,
  organizationName,
  organizationParams,
  platformPage,
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
    readonly problem?: ProblemError;
  },
) => Promise<PersonalPage>;

export function invitationForms(tools: PlatformTools, show: ShowMembers): readonly RouteDeclaration[] {
  return [listPage(tools), inviteForm(tools, show), resendForm(tools), cancelForm(tools)];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/invitations',
    operationId: 'showInvitations',
    params: OrganizationParams,
    query: PageLinkQuery,
    problems: [forbidden, notFound, invalidCursor],
    show: async ({ visitor, params: { org }, query }) => invitationsPage({ tools, visitor, org }, query),
  });
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
      return invitationsPage({ tools, visitor, org }, { news: onItsWay(email) });
    },
    refused: async ({ visitor, params: { org }, body }, problem) => show(visitor, { org, problem, ...body }),
  });
}

function onItsWay(email: string): string {
  const news = html`!${sayHtml('Invitation sent to {strong}. It can be used once and expires after one week.', { strong: html`<strong>${email}</strong>` })}`;
  return notice('good', news);
}

function resendForm(tools: PlatformTools): RouteDeclaration {
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
      return invitationsPage({ tools, visitor, org }, { news: onItsWay(email) });
    },
    refused: async ({ visitor, params: { org } }, problem) =>
      invitationsPage({ tools, visitor, org }, { problem }),
  });
}

function cancelForm(tools: PlatformTools): RouteDeclaration {
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
      return { to: platformPath(org, 'invitations') };
    },
    refused: async ({ visitor, params: { org } }, problem) =>
      invitationsPage({ tools, visitor, org }, { problem }),
  });
}

/** Members and open invitations, for members who may invite. */
export function memberTabs(
  { visitor, org }: PlatformPlace,
  current: 'members' | 'invitations',
  mayInvite: boolean,
): string {
  if (!mayInvite) return '';
  const words = wordsOf(visitor.language).console.members;
  const view = (name: 'members' | 'invitations', label: string) => ({
    href: platformPath(org, name),
    label,
    isCurrent: name === current,
  });
  return tabs(words.tab, [view('members', words.tab), view('invitations', words.invitations)]);
}

/** The button and the dialog that invite a member; empty for members without the permission. */
export async function inviteDialog(
  { tools, visitor, org }: PlatformPlace,
  filled: InvitationFields,
  { problem, isOpen }: { readonly problem: ProblemError | undefined; readonly isOpen: boolean },
): Promise<{ readonly actions: string; readonly dialog: string }> {
  const roles = await members.rolesToInviteAs(tools.access, callerOfVisitor(visitor), org);
  if (roles.length === 0) return { actions: '', dialog: '' };
  const words = wordsOf(visitor.language).console.members;
  const back = platformPath(org, 'members');
  const fields =
    field({
      name: 'email',
      label: say('E-mail address'),
      type: 'email',
      value: filled.email ?? '',
      autocomplete: 'off',
      maxLength: 320,
      problem,
    }) +
    radios({
      name: 'role',
      label: say('Role'),
      options: roles.map((role) => ({ value: role, label: say(roleMeanings[role]) })),
      chosen: [filled.role ?? 'member'],
    });
  const content = html`!${problemNotice(problem)}
  !${form({ action: platformPath(org, 'invitations'), submit: say('Send invitation'), fields })}`;
  return {
    actions: buttonLink({
      href: back + opensDialog,
      label: words.invite,
      icon: 'plus',
      kind: 'primary',
      dialog: 'invite',
    }),
    dialog: dialog(visitor.language, {
      id: 'invite',
      title: words.invite,
      lead: words.inviteLead,
      content,
      isOpen: isOpen || problem !== undefined,
      closeHref: back,
    }),
  };
}

async function invitationsPage(
  place: PlatformPlace,
  {
    cursor,
    news = '',
    problem,
  }: { readonly cursor?: string; readonly news?: string; readonly problem?: ProblemError },
): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { language } = visitor;
  const words = wordsOf(language).console;
  const query = { platform_key: org, ...(cursor !== undefined && { cursor }) };
  const caller = callerOfVisitor(visitor);
  const found = await members.listInvitations(tools.access, caller, query, (invitation) => invitation);
  const { actions, dialog: invitation } = await inviteDialog(
    place,
    {},
    { problem: undefined, isOpen: false },
  );
  const list = dataTable(language, {
    caption: say('Open invitations, newest first.'),
    rows: found.data,
    columns: invitationColumns(place),
    nameOf: ({ email }) => email,
    menu: ({ id }) => {
      const here = platformPath(org, 'invitations', id);
      return [
        { label: words.members.resend, icon: 'mail', action: `${here}/resend` },
        { label: words.cancel, icon: 'x', action: `${here}/cancel`, isDangerous: true },
      ];
    },
    pagination: { ...found.pagination, isFirst: cursor === undefined },
    empty: {
      icon: 'mail',
      title: words.members.noInvitations,
      text: words.members.noInvitationsText,
      action: actions,
    },
  });
  return platformPage(tools, visitor, {
    org,
    tab: 'members',
    title: words.sections.members,
    lead: html`${words.members.lead(organizationName(visitor, org))}`,
    actions,
    tabs: memberTabs(place, 'invitations', actions !== ''),
    main: html`!${news} !${problemNotice(problem)} !${list} !${invitation}`,
  });
}

type OpenInvitation = Parameters<Parameters<typeof members.listInvitations>[3]>[0];

function invitationColumns({ tools, visitor }: PlatformPlace): readonly Column<OpenInvitation>[] {
  const { language } = visitor;
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  return [
    {
      label: words.columns.email,
      place: 'main',
      cell: ({ email }) => html`<span class="name">${email}</span>`,
    },
    { label: words.columns.role, place: 'state', cell: ({ role }) => html`${words.roles[role] ?? role}` },
    {
      label: words.columns.invitedBy,
      place: 'low',
      cell: ({ sender }) => html`<code>${sender.username}</code>`,
    },
    { label: words.columns.expires, place: 'also', cell: ({ expiresAt }) => ago(expiresAt, now, language) },
  ];
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, members, platformTokens } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { accounts } from '../../../identity/index.ts';
import { form, instant, notice, problemNotice, radios, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { personPicture } from '../person-picture.ts';
import type { Visitor } from '../visitor.ts';
import type { InvitationFields } from './invitation-forms.ts';
import { invitationForms, invitationSection } from './invitation-forms.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findForm,
  findOf,
  mayIn,
  olderLink,
  organizationParams,
  platformPage,
  platformPath,
  startPath,
} from './platform-frame.ts';
import { removalLink, removalPages } from './removal-pages.ts';
import { roleMeanings } from './role-meanings.ts';

const MemberParams = Type.Object({
  ...organizationParams,
  username: Type.String({ minLength: 1, maxLength: 100 }),
});
const MembersQuery = closedObject({
  ...FindQuery.properties,
  /** The cursor of the open invitations. */
  invitations: FindQuery.properties.cursor,
});
const RoleForm = closedObject({ role: Type.Enum([...corePermissions.roles]) });
const problems = [forbidden, notFound];

/** The members of an organization with their roles, and its invitations. */
export function memberPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    currentRedirect(tools),
    listPage(tools),
    ...invitationForms(tools, (visitor, options) => membersPage(tools, visitor, options)),
    onePage(tools),
    roleForm(tools),
    ...removalOf(tools),
  ];
}

function currentRedirect(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/account/organization',
    operationId: 'showCurrentOrganization',
    show: async ({ visitor }) => {
      const { account } = visitor;
      const current = account.memberships.find((one) => one.organizationId === account.organizationId);
      if (current === undefined) throw new Error('an account works in an organization that it is not in');
      return { to: await startPath(tools, visitor, current.organizationKey) };
    },
  });
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/members',
    operationId: 'showMembers',
    params: OrganizationParams,
    query: MembersQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params: { org }, query: { invitations, ...page } }) =>
      membersPage(tools, visitor, {
        org,
        ...findOf(page),
        ...(invitations !== undefined && { invitations }),
      }),
  });
}

function onePage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/members/{username}',
    operationId: 'showMember',
    params: MemberParams,
    problems,
    show: async ({ visitor, params }) => memberPage(tools, visitor, params),
  });
}

function roleForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/members/{username}',
    operationId: 'changeRoleOnPage',
    params: MemberParams,
    body: RoleForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, client }) => {
      await members.changeRole(tools.access, {
        ...changeOf(visitor, params.org, client),
        username: params.username,
        role: body.role,
      });
      return memberPage(tools, visitor, {
        ...params,
        news: 'Saved. Changes take effect within a second.',
      });
    },
    refused: async ({ visitor, params, body }, problem) =>
      memberPage(tools, visitor, { ...params, problem, role: body.role }),
  });
}

function removalOf(tools: PlatformTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/members/{username}/remove',
    operationId: 'removeMemberOnPage',
    params: MemberParams,
    problems: [...problems, conflict],
    describe: async ({ visitor, params: { org, username } }) => {
      const caller = callerOfVisitor(visitor);
      const member = await members.readMember(tools.access, caller, { platformKey: org, username });
      const leaving = username === visitor.account.username;
      const here = platformPath(org, 'members', username);
      return {
        org,
        tab: 'members',
        title: leaving ? `Leave ${org}?` : `Remove ${member.name} (${username})?`,
        consequences: html`<p>
            ${leaving ? 'You lose' : `${member.name} (${member.role}) loses`} access to this organization
            within a second. ${leaving ? 'Your' : 'Their'} tokens, group memberships and open invitations in
            it are deleted and are not restored if ${leaving ? 'you rejoin' : 'they rejoin'}. Rejoining
            requires a new invitation.
          </p>
          !${await tokensThatEnd(tools, visitor, org, username)}`,
        submit: leaving ? `Leave ${org}` : `Remove ${username}`,
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, username }, client }) => {
      const change = changeOf(visitor, org, client);
      await members.removeMember(tools.access, { ...change, username });
      return { to: username === visitor.account.username ? '/platform' : platformPath(org, 'members') };
    },
  });
}

/** By name, for visitors who may see them. */
async function tokensThatEnd(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  username: string,
): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  if (!may(corePermissions.apiTokenActions.read, 'api-tokens')) return '';
  const tokens = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
  const ending = tokens.filter(({ creator }) => creator.username === username).map(({ name }) => name);
  return ending.length === 0 ? '' : html`<p>Tokens to be deleted: <strong>${ending.join(', ')}</strong>.</p>`;
}

interface ListOptions extends InvitationFields {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  readonly invitations?: string;
  readonly news?: string;
  readonly problem?: ProblemError;
}

async function membersPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, cursor, query, invitations, news = '', problem, ...filled }: ListOptions,
): Promise<PersonalPage> {
  const asked = {
    platform_key: org,
    ...(cursor !== undefined && { cursor }),
    ...(query !== undefined && { query }),
  };
  const found = await members.listMembers(tools.access, callerOfVisitor(visitor), asked, (member) => member);
  const seesSecondFactors = found.data.some(({ hasSecondFactor }) => hasSecondFactor !== null);
  const rows = found.data.map((member) => [
    html`<div>
      !${personPicture(member)}
      <a href="${platformPath(org, 'members', member.username)}">${member.name}</a>
      <code>${member.username}</code>${member.id === visitor.account.id ? ' (you)' : ''}
    </div>`,
    html`${member.role}`,
    html`${member.groups.map(({ name }) => name).join(', ')}`,
    member.lastSeenAt === null ? 'never' : instant(isoMilliseconds(member.lastSeenAt)),
    instant(isoMilliseconds(member.createdAt)),
    ...(seesSecondFactors ? [secondFactorWords(member)] : []),
  ]);
  const may = await mayIn(tools, visitor, org);
  const columns = ['Member', 'Role', 'Groups', 'Last seen', 'Joined'];
  if (seesSecondFactors) columns.push('Second factor');
  const caption = 'Newest first. “Last seen” is accurate to 5 minutes.';
  return platformPage(tools, visitor, {
    org,
    tab: 'members',
    title: 'Members',
    main: html`!${news} !${problemNotice(problem)} !${findForm(query)}
    !${may(corePermissions.memberActions.create, 'members') ? html`<p><a href="#invite">Invite member</a></p>` : ''}
    !${table({ caption, columns, rows, empty: 'No members match.' })}
    !${olderLink(found.pagination, query === undefined ? {} : { query })}
    !${await invitationSection(tools, visitor, org, filled, { problem, cursor: invitations })}`,
  });
}

function secondFactorWords({ hasSecondFactor }: members.ListedMember): string {
  if (hasSecondFactor === null) return '';
  return hasSecondFactor ? 'yes' : 'none';
}

interface OneOptions {
  readonly org: string;
  readonly username: string;
  readonly role?: accounts.Role;
  readonly news?: string;
  readonly problem?: ProblemError;
}

async function memberPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, username, role, news, problem }: OneOptions,
): Promise<PersonalPage> {
  const caller = callerOfVisitor(visitor);
  const member = await members.readMember(tools.access, caller, { platformKey: org, username });
  const choices = await members.readMemberChoices(tools.access, caller, org);
  const here = platformPath(org, 'members', username);
  const isSelf = member.id === visitor.account.id;
  const groups = member.groups.map(
    ({ id, name }) => html`<a href="${platformPath(org, 'groups', String(id))}">${name}</a> `,
  );
  return platformPage(tools, visitor, {
    org,
    tab: 'members',
    title: member.name,
    main: html`<p>!${personPicture(member, 'large')}</p>
      <dl class="facts">
        <dt>Username</dt>
        <dd><code>${username}</code></dd>
        <dt>Role</dt>
        <dd>${roleMeanings[member.role]}</dd>
        !${
          groups.length === 0
            ? ''
            : html`<dt>Groups</dt>
                <dd>!${groups}</dd>`
        }
        !${
          member.hasSecondFactor === null
            ? ''
            : html`<dt>Second factor</dt>
                <dd>${secondFactorWords(member)}</dd>`
        }
        <dt>Last seen</dt>
        <dd>!${member.lastSeenAt === null ? 'never' : instant(isoMilliseconds(member.lastSeenAt))}</dd>
        <dt>Joined</dt>
        <dd>!${instant(isoMilliseconds(member.createdAt))}</dd>
      </dl>
      !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
      !${memberForms(here, member, choices, { role: role ?? member.role, isSelf })}`,
  });
}

function memberForms(
  here: string,
  member: members.ListedMember,
  choices: Awaited<ReturnType<typeof members.readMemberChoices>>,
  { role, isSelf }: { readonly role: accounts.Role; readonly isSelf: boolean },
): string {
  if (choices.isLastOwner(member))
    return html`<p>
      An organization must have an owner. To leave or change your role, make another member an owner first.
    </p>`;
  const options = choices.roles.map((value) => ({ value, label: roleMeanings[value] }));
  const fields = radios({ name: 'role', label: 'Role', options, chosen: [role] });
  const verb = isSelf ? 'Leave organization' : `Remove ${member.name}`;
  return html`!${choices.mayChange(member) ? form({ action: here, submit: 'Change role', fields }) : ''}
  !${choices.mayRemove(member) ? removalLink(`${here}/remove`, verb) : ''}`;
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { corePermissions, members, platformTokens } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { accounts } from '../../../identity/index.ts';
import { form, notice, problemNotice, radios } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Column } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge, buttonLink, card, dangerZone, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { personPicture } from '../person-picture.ts';
import type { Visitor } from '../visitor.ts';
import type { InvitationFields } from './invitation-forms.ts';
import { invitationForms, inviteDialog, memberTabs } from './invitation-forms.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findOf,
  mayIn,
  organizationName,
  organizationParams,
  platformPage,
  platformPath,
  startPath,
} from './platform-frame.ts';
import { removalPages } from './removal-pages.ts';
import { roleMeanings } from './role-meanings.ts';

const MemberParams = Type.Object({
  ...organizationParams,
  username: Type.String({ minLength: 1, maxLength: 100 }),
});
const MembersQuery = closedObject({
  ...FindQuery.properties,
  /** The cursor of the open invitations, which have their own page. */
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
      invitations === undefined
        ? membersPage(tools, visitor, { org, ...findOf(page) })
        : { to: `${platformPath(org, 'invitations')}?cursor=${encodeURIComponent(invitations)}` },
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
        news: say('Saved. Changes take effect within a second.'),
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
        title: leaving
          ? say('Leave {org}?', { org })
          : say('Remove {name} ({username})?', { name: member.name, username }),
        consequences: html`<p>
            ${
              leaving
                ? say(
                    'You lose access to this organization within a second. Your tokens, group memberships and open invitations in it are deleted and are not restored if you rejoin. Rejoining requires a new invitation.',
                  )
                : say(
                    '{name} ({role}) loses access to this organization within a second. Their tokens, group memberships and open invitations in it are deleted and are not restored if they rejoin. Rejoining requires a new invitation.',
                    { name: member.name, role: say(member.role) },
                  )
            }
          </p>
          !${await tokensThatEnd(tools, visitor, org, username)}`,
        submit: leaving ? say('Leave {org}', { org }) : say('Remove {username}', { username }),
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
  return ending.length === 0
    ? ''
    : html`<p>
        !${sayHtml('Tokens to be deleted: {strong}.', { strong: html`<strong>${ending.join(', ')}</strong>` })}
      </p>`;
}

interface ListOptions extends InvitationFields {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  /** At the address of the dialog. */
  readonly isCreating?: boolean;
  readonly problem?: ProblemError;
}

async function membersPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, cursor, query, isCreating = false, problem, ...filled }: ListOptions,
): Promise<PersonalPage> {
  const { language } = visitor;
  const words = wordsOf(language).console;
  const asked = {
    platform_key: org,
    ...(cursor !== undefined && { cursor }),
    ...(query !== undefined && { query }),
  };
  const found = await members.listMembers(tools.access, callerOfVisitor(visitor), asked, (member) => member);
  const place = { tools, visitor, org };
  const { actions, dialog: invitation } = await inviteDialog(place, filled, { problem, isOpen: isCreating });
  const choices = await members.readMemberChoices(tools.access, callerOfVisitor(visitor), org);
  return platformPage(tools, visitor, {
    org,
    tab: 'members',
    title: words.sections.members,
    lead: html`${words.members.lead(organizationName(visitor, org))}`,
    actions,
    tabs: memberTabs(place, 'members', actions !== ''),
    main: html`!${invitation === '' ? problemNotice(problem) : ''}
    !${dataTable(language, {
      caption: say('Newest first. “Last seen” is accurate to 5 minutes.'),
      rows: found.data,
      columns: memberColumns(place, found.data),
      nameOf: ({ name }) => name,
      menu: (member) => {
        const here = platformPath(org, 'members', member.username);
        return [
          { label: words.members.open, icon: 'eye', href: here },
          ...(choices.mayRemove(member) && !choices.isLastOwner(member)
            ? [
                {
                  label: words.members.remove,
                  icon: 'trash' as const,
                  href: `${here}/remove`,
                  isDangerous: true,
                },
              ]
            : []),
        ];
      },
      search: { label: words.members.find, query },
      pagination: {
        ...found.pagination,
        ...(query !== undefined && { query: { query } }),
        isFirst: cursor === undefined,
      },
      empty: { icon: 'users', title: say('No members match.') },
    })}
    !${invitation}`,
  });
}

function memberColumns(
  { tools, visitor, org }: PlatformPlace,
  listed: readonly members.ListedMember[],
): readonly Column<members.ListedMember>[] {
  const { language } = visitor;
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  const person = (member: members.ListedMember): string =>
    html`<div class="who">
      !${personPicture(member)}
      <div class="cut">
        <a class="name" href="${platformPath(org, 'members', member.username)}">${member.name}</a>
        !${member.id === visitor.account.id ? badge('plain', words.members.you) : ''}
        <small class="cut">${member.username}</small>
      </div>
    </div>`;
  return [
    { label: words.columns.member, place: 'main', cell: person },
    { label: words.columns.role, place: 'state', cell: ({ role }) => html`${words.roles[role] ?? role}` },
    {
      label: words.columns.groups,
      place: 'low',
      cell: ({ groups }) => html`${groups.map(({ name }) => name).join(', ')}`,
    },
    // Null for visitors who may not see it.
    ...(listed.some(({ hasSecondFactor }) => hasSecondFactor !== null)
      ? [
          {
            label: words.columns.secondFactor,
            place: 'low' as const,
            cell: ({ hasSecondFactor }: members.ListedMember) =>
              hasSecondFactor === false
                ? badge('warn', words.members.notSetUp)
                : html`${words.members.setUp}`,
          },
        ]
      : []),
    { label: words.columns.lastSeen, place: 'low', cell: ({ lastSeenAt }) => ago(lastSeenAt, now, language) },
    { label: words.columns.joined, place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
  ];
}

function secondFactorWords({ hasSecondFactor }: members.ListedMember): string {
  return hasSecondFactor === true ? 'yes' : 'none';
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
  const { language } = visitor;
  const now = tools.identity.clock.now();
  const groups = member.groups.map(
    ({ id, name }) => html`<a href="${platformPath(org, 'groups', String(id))}">${name}</a> `,
  );
  const about = facts([
    [say('Username'), html`<code>${username}</code>`],
    [say('Role'), html`${say(roleMeanings[member.role])}`],
    [say('Groups'), groups.join('')],
    [say('Second factor'), member.hasSecondFactor === null ? '' : secondFactorWords(member)],
    [say('Last seen'), ago(member.lastSeenAt, now, language)],
    [say('Joined'), ago(member.createdAt, now, language)],
  ]);
  return platformPage(tools, visitor, {
    org,
    tab: 'members',
    title: member.name,
    main: html`!${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
      <div class="stack">
        <section class="card">
          <div class="in">
            <p>!${personPicture(member, 'large')}</p>
            !${about}
          </div>
        </section>
        !${memberForms(here, member, choices, role ?? member.role)}
      </div>
      !${memberEndings(here, member, choices, visitor)}`,
  });
}

type MemberChoices = Awaited<ReturnType<typeof members.readMemberChoices>>;

function memberForms(
  here: string,
  member: members.ListedMember,
  choices: MemberChoices,
  role: accounts.Role,
): string {
  if (choices.isLastOwner(member))
    return html`<p>
      ${say('An organization must have an owner. To leave or change your role, make another member an owner first.')}
    </p>`;
  if (!choices.mayChange(member)) return '';
  const options = choices.roles.map((value) => ({ value, label: say(roleMeanings[value]) }));
  const fields = radios({ name: 'role', label: say('Role'), options, chosen: [role] });
  return card({
    title: say('Change role'),
    isPadded: true,
    content: form({ action: here, submit: say('Change role'), fields }),
  });
}

function memberEndings(
  here: string,
  member: members.ListedMember,
  choices: MemberChoices,
  { account, language }: Visitor,
): string {
  if (choices.isLastOwner(member) || !choices.mayRemove(member)) return '';
  const label =
    member.id === account.id ? say('Leave organization') : say('Remove {name}', { name: member.name });
  const text = say('Tokens, group memberships and open invitations in this organization are deleted.');
  return dangerZone(language, [
    { title: label, text, end: buttonLink({ href: `${here}/remove`, label, kind: 'danger' }) },
  ]);
}

import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { capabilities, groups } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, invalidField } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { checkboxes, field, form, instant, notice } from '../../shell/form-controls.ts';
import { say, sayHtml, sayKnown } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { ListOptions, OneOptions } from './named-resource-pages.ts';
import {
  listQuery,
  namedListPage,
  namedPage,
  namedResourcePages,
  problems,
  saved,
} from './named-resource-pages.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  NumberParams,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  mayIn,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import { offeredPresets } from './ready-made-policies.ts';
import {
  findProperty,
  memberSource,
  notSavedYet,
  numbersOf,
  policySource,
  relationChange,
  relationField,
  relationProperties,
} from './relation-fields.ts';

const { name } = groups.NewGroupSchema.properties;
const NewGroupForm = closedObject({
  name,
  ...relationProperties('users'),
  /** Ready-made policies; together they become the policy of the group. */
  jobs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  ...findProperty,
});
type NewGroupForm = Static<typeof NewGroupForm>;
const GroupForm = closedObject({
  name,
  ...relationProperties('users'),
  ...relationProperties('policies'),
  /** The end of the membership of added users, in UTC. */
  until: Type.Optional(Type.String({ maxLength: 20 })),
  ...findProperty,
});

export function groupPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    ...namedResourcePages(tools, {
      tab: 'groups',
      list: {
        operationId: 'showGroups',
        show: (visitor, options) => groupsPage({ tools, visitor, org: options.org }, options),
      },
      one: {
        operationId: 'showGroup',
        show: (visitor, options) => groupPage({ tools, visitor, org: options.org }, options),
      },
      read: (caller, asked) => groups.readGroup(tools.access, caller, asked),
      removal: {
        operationId: 'removeGroupOnPage',
        consequences: () => html`<p>${removalText()}</p>`,
        remove: (change) => groups.removeGroup(tools.access, change),
      },
    }),
    createForm(tools),
    changeForm(tools),
  ];
}

function removalText(): string {
  return say('Only groups without members and tokens can be deleted.');
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/groups',
    operationId: 'createGroupOnPage',
    params: OrganizationParams,
    body: NewGroupForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, client }) => {
      const place = { tools, visitor, org };
      if (body.find !== undefined)
        return groupsPage(place, { org, isCreating: true, filled: body, hint: notSavedYet() });
      const chosen = offeredPresets(place).filter(({ id }) => body.jobs?.includes(id) === true);
      const group = await groups.createGroup(tools.access, {
        ...changeOf(visitor, org, client),
        name: body.name,
        relations: { users_to_add: body.users ?? [] },
        ...(chosen.length > 0 && { newPolicy: capabilities.policyOfPresets(chosen, org, null) }),
      });
      return { to: platformPath(org, 'groups', String(group.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupsPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/groups/{number}',
    operationId: 'changeGroupOnPage',
    params: NumberParams,
    body: GroupForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, client }) => {
      if (body.find !== undefined)
        return groupPage(
          { tools, visitor, org: params.org },
          { ...params, filled: body, hint: notSavedYet() },
        );
      const users = relationChange(body.users, body.users_before);
      const policies = relationChange(body.policies, body.policies_before);
      await groups.changeGroup(tools.access, {
        ...changeOf(visitor, params.org, client),
        id: params.number,
        name: body.name,
        relations: {
          ...addedUsers(users.add, body.until),
          users_to_remove: users.remove,
          policies_to_add: numbersOf(policies.add),
          policies_to_remove: numbersOf(policies.remove),
        },
      });
      return groupPage({ tools, visitor, org: params.org }, { ...params, news: saved() });
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

/** With an end, the users are added until then. */
function addedUsers(usernames: readonly string[], until = ''): groups.GroupRelations {
  if (until.trim() === '') return { users_to_add: usernames };
  if (usernames.length === 0) throw invalidField('until', 'applies to users that you add');
  const ends_at = `${until.trim().slice(0, 16)}:00Z`;
  return { temporary_users_to_add: usernames.map((username) => ({ username, ends_at })) };
}

async function groupsPage(
  place: PlatformPlace,
  options: ListOptions & { readonly filled?: Partial<NewGroupForm>; readonly hint?: string },
): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { language } = visitor;
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  const asked = listQuery(options);
  return namedListPage<GroupRow>(place, options, {
    tab: 'groups',
    lead: words.groupsPage.lead,
    create: words.groupsPage.create,
    columns: [
      {
        label: words.columns.name,
        place: 'main',
        cell: ({ id, name: groupName }) =>
          html`<a class="name" href="${platformPath(org, 'groups', String(id))}">${groupName}</a>`,
      },
      { label: words.columns.created, place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
      { label: words.columns.changed, place: 'also', cell: ({ updatedAt }) => ago(updatedAt, now, language) },
    ],
    found: await groups.listGroups(tools.access, callerOfVisitor(visitor), asked, (group) => group),
    empty: { icon: 'layers', title: words.groupsPage.none, text: words.groupsPage.noneText },
    noneFound: say('No groups match.'),
    creation: async () =>
      form({
        action: platformPath(org, 'groups'),
        submit: words.groupsPage.create,
        fields: await newGroupFields(place, options),
      }),
  });
}

/** Members and permissions, too: a group without both grants nothing. */
async function newGroupFields(
  place: PlatformPlace,
  { filled = {}, problem, hint }: Parameters<typeof groupsPage>[1],
): Promise<string> {
  const { tools, visitor, org } = place;
  const { create, kind } = platformTabs.policies;
  const mayCreatePolicy = (await mayIn(tools, visitor, org))(create, ...kind);
  return [
    hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`),
    field({
      name: 'name',
      label: say('Name'),
      value: filled.name ?? '',
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    await relationField({
      name: 'users',
      label: say('Members'),
      hint: say('Members get all permissions of the group. You must have these permissions yourself.'),
      source: await memberSource(tools, visitor, org),
      chosen: [],
      filled: { now: filled.users, before: filled.users_before, query: filled.users_query },
    }),
    mayCreatePolicy
      ? checkboxes({
          name: 'jobs',
          label: say('Permissions'),
          hint: say(
            'The selected permissions become a policy with the name of the group. You can add more policies later.',
          ),
          options: offeredPresets(place).map(({ id, label }) => ({ value: id, label: sayKnown(label) })),
          chosen: filled.jobs ?? [],
        })
      : '',
  ].join('');
}

type GroupDetail = Awaited<ReturnType<typeof groups.readGroup>>;
type GroupRow = Omit<GroupDetail, 'users' | 'temporaryUsers' | 'policies'>;

interface GroupOptions extends OneOptions {
  /** Notes before saving. */
  readonly hint?: string;
  /** The submitted values of a form that is shown again. */
  readonly filled?: Partial<Static<typeof GroupForm>>;
}

async function groupPage(place: PlatformPlace, options: GroupOptions): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const asked = { platformKey: org, id: options.number };
  const group = await groups.readGroup(tools.access, callerOfVisitor(visitor), asked);
  return namedPage(place, options, {
    tab: 'groups',
    removalText: removalText(),
    found: group,
    content: async (mayChange) =>
      mayChange
        ? form({
            action: platformPath(org, 'groups', String(group.id)),
            submit: say('Save'),
            fields: await groupFields(place, group, options),
          })
        : facts([
            [say('Members'), html`${group.users.join(', ')}`],
            [say('Policies'), html`${group.policies.join(', ')}`],
          ]),
  });
}

async function groupFields(
  { tools, visitor, org }: PlatformPlace,
  group: GroupDetail,
  { filled = {}, problem }: GroupOptions,
): Promise<string> {
  return [
    field({
      name: 'name',
      label: say('Name'),
      value: filled.name ?? group.name,
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    await relationField({
      name: 'users',
      label: say('Members'),
      hint: say('Members get all permissions of the group. You must have these permissions yourself.'),
      source: await memberSource(tools, visitor, org),
      chosen: group.users,
      filled: { now: filled.users, before: filled.users_before, query: filled.users_query },
    }),
    temporaryUsers(group),
    field({
      name: 'until',
      label: say('End of membership for users that you add (UTC)'),
      type: 'datetime-local',
      hint: say(
        'Leave empty for a permanent membership. After this time, the users no longer have the permissions of the group.',
      ),
      value: filled.until ?? '',
      required: false,
      problem,
    }),
    await relationField({
      name: 'policies',
      label: say('Policies'),
      hint: say('You can grant only permissions that you have.'),
      source: await policySource(tools, visitor, org),
      none: await noPolicies({ tools, visitor, org }),
      chosen: group.policies.map(String),
      filled: { now: filled.policies, before: filled.policies_before, query: filled.policies_query },
    }),
  ].join('');
}

/** For members who may create one. */
async function noPolicies({ tools, visitor, org }: PlatformPlace): Promise<string> {
  const { create, kind } = platformTabs.policies;
  if (!(await mayIn(tools, visitor, org))(create, ...kind)) return '';
  const link = html`<a href="${platformPath(org, 'policies')}?new=1">${say('Create a policy')}</a>`;
  return html`<div class="field">
    <strong>${say('Policies')}</strong>
    <p class="hint">
      !${sayHtml('The organization has no policies yet. {link}, then select it here.', { link })}
    </p>
  </div>`;
}

function temporaryUsers({ temporaryUsers: users }: GroupDetail): string {
  if (users.length === 0) return '';
  return html`<ul>
    !${users.map(({ username, endsAt }) => {
      const values = { username: html`${username}`, time: instant(isoMilliseconds(endsAt)) };
      return html`<li>!${sayHtml('{username}: until {time}', values)}</li>`;
    })}
  </ul>`;
}

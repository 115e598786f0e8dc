import { html } from 'ghtml';
import type { Static } from 'typebox';

import { groups } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { field, form } from '../../shell/form-controls.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
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
  platformPath,
} from './platform-frame.ts';
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
const NewGroupForm = closedObject({ name });
const GroupForm = closedObject({
  name,
  ...relationProperties('users'),
  ...relationProperties('policies'),
  ...findProperty,
});

export function groupPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    ...namedResourcePages(tools, {
      tab: 'groups',
      noun: 'group',
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
        consequences: html`<p>Only groups without members and tokens can be deleted.</p>`,
        remove: (change) => groups.removeGroup(tools.access, change),
      },
    }),
    createForm(tools),
    changeForm(tools),
  ];
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/groups',
    operationId: 'createGroupOnPage',
    params: OrganizationParams,
    body: NewGroupForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, client }) => {
      const change = changeOf(visitor, org, client);
      const group = await groups.createGroup(tools.access, { ...change, name: body.name, relations: {} });
      return { to: platformPath(org, 'groups', String(group.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupsPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body.name }),
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
        return groupPage({ tools, visitor, org: params.org }, { ...params, filled: body, hint: notSavedYet });
      const users = relationChange(body.users, body.users_before);
      const policies = relationChange(body.policies, body.policies_before);
      await groups.changeGroup(tools.access, {
        ...changeOf(visitor, params.org, client),
        id: params.number,
        name: body.name,
        relations: {
          users_to_add: users.add,
          users_to_remove: users.remove,
          policies_to_add: numbersOf(policies.add),
          policies_to_remove: numbersOf(policies.remove),
        },
      });
      return groupPage({ tools, visitor, org: params.org }, { ...params, news: saved });
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

async function groupsPage(
  place: PlatformPlace,
  options: ListOptions & { readonly filled?: string },
): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { problem, filled = '' } = options;
  const { language } = visitor;
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  const fields = field({
    name: 'name',
    label: 'Name',
    value: filled,
    maxLength: 100,
    autocomplete: 'off',
    problem,
  });
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
    noneFound: 'No groups match.',
    creation: async () => ({
      form: form({ action: platformPath(org, 'groups'), submit: 'Create group', fields }),
    }),
  });
}

type GroupDetail = Awaited<ReturnType<typeof groups.readGroup>>;
type GroupRow = Omit<GroupDetail, 'users' | 'policies'>;

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
    noun: 'group',
    removalText: 'Only groups without members and tokens can be deleted.',
    found: group,
    content: async (mayChange) =>
      mayChange
        ? form({
            action: platformPath(org, 'groups', String(group.id)),
            submit: 'Save',
            fields: await groupFields(place, group, options),
          })
        : html`<dl class="facts">
            <dt>Users</dt>
            <dd>${group.users.join(', ')}</dd>
            <dt>Policies</dt>
            <dd>${group.policies.join(', ')}</dd>
          </dl>`,
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
      label: 'Name',
      value: filled.name ?? group.name,
      maxLength: 100,
      autocomplete: 'off',
      problem,
    }),
    await relationField({
      name: 'users',
      label: 'Users',
      hint: 'Members get all permissions of the group. You must have these permissions yourself.',
      source: await memberSource(tools, visitor, org),
      chosen: group.users,
      filled: { now: filled.users, before: filled.users_before, query: filled.users_query },
    }),
    await relationField({
      name: 'policies',
      label: 'Policies',
      hint: 'You can grant only permissions that you have.',
      source: await policySource(tools, visitor, org),
      chosen: group.policies.map(String),
      filled: { now: filled.policies, before: filled.policies_before, query: filled.policies_query },
    }),
  ].join('');
}

import { html } from 'ghtml';
import type { Static } from 'typebox';

import { groups } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { field, form, instant } from '../../shell/form-controls.ts';
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
  const rowOf = ({ id, name: groupName, createdAt, updatedAt }: GroupRow): readonly string[] => [
    String(id),
    html`<a href="${platformPath(org, 'groups', String(id))}">${groupName}</a>`,
    instant(isoMilliseconds(createdAt)),
    instant(isoMilliseconds(updatedAt)),
  ];
  const fields = field({
    name: 'name',
    label: 'Name',
    value: filled,
    maxLength: 100,
    autocomplete: 'off',
    problem,
  });
  return namedListPage(place, options, {
    tab: 'groups',
    intro: html`<p>
      Members of a group have the permissions of its policies in addition to those of their role.
    </p>`,
    columns: ['Number', 'Name', 'Created', 'Changed'],
    found: await groups.listGroups(tools.access, callerOfVisitor(visitor), listQuery(options), rowOf),
    noneYet: 'No groups yet.',
    noneFound: 'No groups match.',
    creation: async () =>
      html`<h2>Create group</h2>
        !${form({ action: platformPath(org, 'groups'), submit: 'Create group', fields })}`,
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

import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { groups } from '../../../access/index.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { credentials } from '../../../identity/index.ts';
import { field, form, instant, notice, problemNotice, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  NumberParams,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  findForm,
  findOf,
  mayIn,
  olderLink,
  platformPage,
  platformPath,
  platformTabs,
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
import { removalLink, removalPages } from './removal-pages.ts';

const { name } = groups.NewGroupSchema.properties;
const NewGroupForm = Type.Object({ name }, { additionalProperties: false });
const GroupForm = Type.Object(
  { name, ...relationProperties('users'), ...relationProperties('policies'), ...findProperty },
  { additionalProperties: false },
);
const problems = [forbidden, notFound];

export function groupPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), onePage(tools), changeForm(tools), ...removalOf(tools)];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/groups',
    operationId: 'showGroups',
    summary: 'The groups of an organization.',
    params: OrganizationParams,
    query: FindQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query }) => groupsPage(tools, visitor, { ...params, ...findOf(query) }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/groups',
    operationId: 'createGroupOnPage',
    summary: 'Creates a group.',
    params: OrganizationParams,
    body: NewGroupForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, request }) => {
      const change = changeOf(visitor, org, credentials.clientOf(request));
      const group = await groups.createGroup(tools.access, { ...change, name: body.name, relations: {} });
      return { to: platformPath(org, 'groups', String(group.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupsPage(tools, visitor, { ...params, problem, filled: body.name }),
  });
}

function onePage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/groups/{number}',
    operationId: 'showGroup',
    summary: 'A group, its users and its policies.',
    params: NumberParams,
    problems,
    show: async ({ visitor, params }) => groupPage(tools, visitor, params),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/groups/{number}',
    operationId: 'changeGroupOnPage',
    summary: 'Changes a group.',
    params: NumberParams,
    body: GroupForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, request }) => {
      if (body.find !== undefined)
        return groupPage(tools, visitor, { ...params, filled: body, hint: notSavedYet });
      const users = relationChange(body.users, body.users_before);
      const policies = relationChange(body.policies, body.policies_before);
      await groups.changeGroup(tools.access, {
        ...changeOf(visitor, params.org, credentials.clientOf(request)),
        id: params.number,
        name: body.name,
        relations: {
          users_to_add: users.add,
          users_to_remove: users.remove,
          policies_to_add: numbersOf(policies.add),
          policies_to_remove: numbersOf(policies.remove),
        },
      });
      return groupPage(tools, visitor, {
        ...params,
        news: 'Saved. It holds on every process within a second.',
      });
    },
    refused: async ({ visitor, params, body }, problem) =>
      groupPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

function removalOf(tools: PlatformTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/groups/{number}/remove',
    operationId: 'removeGroupOnPage',
    summary: 'Deletes a group that nobody is in and no token has.',
    params: NumberParams,
    problems: [...problems, conflict],
    describe: async ({ visitor, params: { org, number: id } }) => {
      const caller = callerOfVisitor(visitor);
      const { name: groupName } = await groups.readGroup(tools.access, caller, { platformKey: org, id });
      const here = platformPath(org, 'groups', String(id));
      return {
        org,
        tab: 'groups',
        title: `Delete the group ${groupName}?`,
        consequences: html`<p>It goes only where nobody is in it and no token has it.</p>`,
        submit: `Delete ${groupName}`,
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, number: id }, request }) => {
      const change = changeOf(visitor, org, credentials.clientOf(request));
      await groups.removeGroup(tools.access, { ...change, id });
      return { to: platformPath(org, 'groups') };
    },
  });
}

interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  readonly problem?: ProblemError;
  readonly filled?: string;
}

async function groupsPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, cursor, query: sought, problem, filled = '' }: ListOptions,
): Promise<PersonalPage> {
  const filter = sought === undefined ? {} : { query: sought };
  const query = { platform_key: org, ...(cursor !== undefined && { cursor }), ...filter };
  const found = await groups.listGroups(tools.access, callerOfVisitor(visitor), query, (group) => group);
  const rows = found.data.map(({ id, name: groupName, createdAt, updatedAt }) => [
    String(id),
    html`<a href="${platformPath(org, 'groups', String(id))}">${groupName}</a>`,
    instant(isoMilliseconds(createdAt)),
    instant(isoMilliseconds(updatedAt)),
  ]);
  const may = await mayIn(tools, visitor, org);
  const { create, kind } = platformTabs.groups;
  const fields = field(
    { name: 'name', label: 'Name', value: filled, maxLength: 100, autocomplete: 'off' },
    problem,
  );
  return platformPage(
    tools,
    visitor,
    { org, tab: 'groups' },
    {
      title: 'Groups',
      main: html`<p>Members of a group may do what its policies allow, beside what their role allows.</p>
        !${findForm(sought)}
        !${table({ caption: 'The newest first.', columns: ['Number', 'Name', 'Created', 'Changed'], rows, empty: sought === undefined ? 'There are no groups yet.' : 'No group has this name.' })}
        !${olderLink(found.pagination, filter)} !${problemNotice(problem)}
        !${
          may(create, ...kind)
            ? html`<h2>Create a group</h2>
                !${form({ action: platformPath(org, 'groups'), submit: 'Create group', fields })}`
            : ''
        }`,
    },
  );
}

interface OneOptions {
  readonly org: string;
  readonly number: number;
  readonly news?: string;
  /** What to know before one goes on. */
  readonly hint?: string;
  readonly problem?: ProblemError;
  /** What was sent with a form that comes back. */
  readonly filled?: Partial<Static<typeof GroupForm>>;
}

async function groupPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, number: id, news, hint, problem, filled }: OneOptions,
): Promise<PersonalPage> {
  const caller = callerOfVisitor(visitor);
  const group = await groups.readGroup(tools.access, caller, { platformKey: org, id });
  const may = await mayIn(tools, visitor, org);
  const here = platformPath(org, 'groups', String(id));
  const { update, delete: remove } = platformTabs.groups;
  const place = ['groups', String(id)];
  const content = may(update, ...place)
    ? form({
        action: here,
        submit: 'Save',
        fields: await groupFields(tools, visitor, org, { group, filled, problem }),
      })
    : html`<dl class="facts">
        <dt>Users</dt>
        <dd>${group.users.join(', ')}</dd>
        <dt>Policies</dt>
        <dd>${group.policies.join(', ')}</dd>
      </dl>`;
  return platformPage(
    tools,
    visitor,
    { org, tab: 'groups' },
    {
      title: group.name,
      main: html`<p class="hint">
          Group ${String(id)}, changed !${instant(isoMilliseconds(group.updatedAt))}
        </p>
        !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)}
        !${hint === undefined ? '' : notice('plain', html`<p>${hint}</p>`)} !${problemNotice(problem)}
        !${content} !${may(remove, ...place) ? removalLink(`${here}/remove`, 'Delete group') : ''}`,
    },
  );
}

async function groupFields(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  {
    group,
    filled = {},
    problem,
  }: {
    readonly group: Awaited<ReturnType<typeof groups.readGroup>>;
    readonly filled: OneOptions['filled'];
    readonly problem: ProblemError | undefined;
  },
): Promise<string> {
  return [
    field(
      {
        name: 'name',
        label: 'Name',
        value: filled.name ?? group.name,
        maxLength: 100,
        autocomplete: 'off',
      },
      problem,
    ),
    await relationField({
      name: 'users',
      label: 'Users',
      hint: 'Whoever comes in may do all that the group allows; you must hold it yourself.',
      source: await memberSource(tools, visitor, org),
      chosen: group.users,
      filled: { now: filled.users, before: filled.users_before, query: filled.users_query },
    }),
    await relationField({
      name: 'policies',
      label: 'Policies',
      hint: 'You must hold what you give.',
      source: await policySource(tools, visitor, org),
      chosen: group.policies.map(String),
      filled: { now: filled.policies, before: filled.policies_before, query: filled.policies_query },
    }),
  ].join('');
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { policies } from '../../access/index.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import { credentials } from '../../identity/index.ts';
import { field, form, instant, notice, problemNotice, table } from '../form-controls.ts';
import type { PersonalPage } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  NumberParams,
  OrganizationParams,
  PageLinkQuery,
  changeOf,
  callerOfVisitor,
  linesOf,
  olderLink,
  platformPage,
  platformPath,
} from './platform-frame.ts';

const PolicyForm = Type.Object(
  {
    name: policies.NewPolicySchema.properties.name,
    actions: Type.String({ maxLength: 40_000 }),
    resources: Type.String({ maxLength: 60_000 }),
  },
  { additionalProperties: false },
);
const problems = [forbidden, notFound];

export function policyPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [listPage(tools), createForm(tools), onePage(tools), changeForm(tools), removeForm(tools)];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/policies',
    operationId: 'showPolicies',
    summary: 'The policies of an organization.',
    params: OrganizationParams,
    query: PageLinkQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query }) => policiesPage(tools, visitor, { ...params, ...query }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies',
    operationId: 'createPolicyOnPage',
    summary: 'Makes a policy.',
    params: OrganizationParams,
    body: PolicyForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, request }) => {
      const policy = await policies.createPolicy(tools.access, {
        ...changeOf(visitor, org, credentials.clientOf(request)),
        policy: { name: body.name, actions: linesOf(body.actions), resources: linesOf(body.resources) },
      });
      return { to: platformPath(org, 'policies', String(policy.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      policiesPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

function onePage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/policies/{number}',
    operationId: 'showPolicy',
    summary: 'A policy.',
    params: NumberParams,
    problems,
    show: async ({ visitor, params }) => policyPage(tools, visitor, params),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies/{number}',
    operationId: 'changePolicyOnPage',
    summary: 'Changes a policy.',
    params: NumberParams,
    body: PolicyForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, request }) => {
      await policies.changePolicy(tools.access, {
        ...changeOf(visitor, params.org, credentials.clientOf(request)),
        id: params.number,
        change: { name: body.name, actions: linesOf(body.actions), resources: linesOf(body.resources) },
      });
      return policyPage(tools, visitor, {
        ...params,
        news: 'Saved. It holds on every process within a second.',
      });
    },
    refused: async ({ visitor, params, body }, problem) =>
      policyPage(tools, visitor, { ...params, problem, filled: body }),
  });
}

function removeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies/{number}/remove',
    operationId: 'removePolicyOnPage',
    summary: 'Removes a policy that is attached to nothing.',
    params: NumberParams,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org, number: id }, request }) => {
      await policies.removePolicy(tools.access, {
        ...changeOf(visitor, org, credentials.clientOf(request)),
        id,
      });
      return { to: platformPath(org, 'policies') };
    },
    refused: async ({ visitor, params }, problem) => policyPage(tools, visitor, { ...params, problem }),
  });
}

type Filled = Partial<Record<'name' | 'actions' | 'resources', string>>;

interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly problem?: ProblemError;
  readonly filled?: Filled;
}

async function policiesPage(
  { access }: PlatformTools,
  visitor: Visitor,
  { org, cursor, problem, filled = {} }: ListOptions,
): Promise<PersonalPage> {
  const query = { platform_key: org, ...(cursor !== undefined && { cursor }) };
  const found = await policies.listPolicies(access, callerOfVisitor(visitor), query, (policy) => policy);
  const rows = found.data.map(({ id, name, actions, resources, createdAt }) => [
    html`${String(id)}`,
    html`<a href="${platformPath(org, 'policies', String(id))}">${name}</a>`,
    html`${String(actions.length)} × ${String(resources.length)}`,
    instant(isoMilliseconds(createdAt)),
  ]);
  const start = { actions: 'Daybook.Agents/Agents/read', resources: `/organizations/${org}/agents/**` };
  return platformPage(
    { org, tab: 'policies' },
    {
      title: 'Policies',
      main: html`<p>
          A policy allows each of its actions on each of its resources. It gives nothing until it is attached
          to a group or a token, and whoever attaches it must hold all that it gives.
        </p>
        !${table({ caption: 'The newest first.', columns: ['Number', 'Name', 'Pairs', 'Made'], rows, empty: 'There are no policies yet. Roles of members need none.' })}
        !${olderLink(found.pagination)}
        <h2>Make a policy</h2>
        !${problemNotice(problem)}
        !${form({ action: platformPath(org, 'policies'), submit: 'Make policy', fields: policyFields({ ...start, ...filled }, problem ?? null) })}`,
    },
  );
}

interface OneOptions {
  readonly org: string;
  readonly number: number;
  readonly news?: string;
  readonly problem?: ProblemError;
  readonly filled?: Filled;
}

async function policyPage(
  { access }: PlatformTools,
  visitor: Visitor,
  { org, number: id, news, problem, filled }: OneOptions,
): Promise<PersonalPage> {
  const policy = await policies.readPolicy(access, callerOfVisitor(visitor), { platformKey: org, id });
  const stored = {
    name: policy.name,
    actions: policy.actions.join('\n'),
    resources: policy.resources.join('\n'),
  };
  const here = platformPath(org, 'policies', String(id));
  return platformPage(
    { org, tab: 'policies' },
    {
      title: policy.name,
      main: html`<p class="hint">
          Policy ${String(id)}, changed !${instant(isoMilliseconds(policy.updatedAt))}
        </p>
        !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
        !${form({ action: here, submit: 'Save', fields: policyFields({ ...stored, ...filled }, problem ?? null) })}
        !${form({ action: `${here}/remove`, submit: 'Remove policy', dangerous: true })}`,
    },
  );
}

function policyFields(filled: Filled, problem: ProblemError | null): string {
  const { name = '', actions = '', resources = '' } = filled;
  return [
    field({ name: 'name', label: 'Name', value: name, maxLength: 100, autocomplete: 'off' }, problem),
    field(
      {
        name: 'actions',
        label: 'Actions',
        hint: 'One to a line: Daybook.<Area>/<Resource>/<verb>. * is one segment, a final ** all that follows.',
        value: actions,
        rows: 5,
      },
      problem,
    ),
    field(
      {
        name: 'resources',
        label: 'Resources',
        hint: 'One to a line: /organizations/<key>/<kind>/<id>. ** is what lies inside, not the thing itself.',
        value: resources,
        rows: 5,
      },
      problem,
    ),
  ].join('');
}

import { html } from 'ghtml';
import { Type } from 'typebox';

import { policies } from '../../../access/index.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { credentials } from '../../../identity/index.ts';
import { field, form, instant, notice, problemNotice, table } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../personal-route.ts';
import { defineMemberForm, defineMemberPage } from '../personal-route.ts';
import type { Visitor } from '../visitor.ts';
import { pickedPolicyForms, policyHolder } from './picked-policy-forms.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  FindQuery,
  NumberParams,
  OrganizationParams,
  changeOf,
  callerOfVisitor,
  findForm,
  findOf,
  linesOf,
  mayIn,
  olderLink,
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import type { Picked } from './policy-picker.ts';
import { pickerForm, policyReport, storedPickerForm } from './policy-picker.ts';
import { removalLink, removalPages } from './removal-pages.ts';

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
  return [
    listPage(tools),
    createForm(tools),
    ...pickedPolicyForms(tools, {
      list: (visitor, options) => policiesPage(tools, visitor, options),
      one: (visitor, options) => policyPage(tools, visitor, options),
    }),
    onePage(tools),
    changeForm(tools),
    ...removalOf(tools),
  ];
}

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/policies',
    operationId: 'showPolicies',
    summary: 'The policies of an organization.',
    params: OrganizationParams,
    query: FindQuery,
    problems: [...problems, invalidCursor],
    show: async ({ visitor, params, query }) => policiesPage(tools, visitor, { ...params, ...findOf(query) }),
  });
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies',
    operationId: 'createPolicyOnPage',
    summary: 'Creates a policy.',
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

function removalOf(tools: PlatformTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/policies/{number}/remove',
    operationId: 'removePolicyOnPage',
    summary: 'Deletes a policy that is attached to nothing.',
    params: NumberParams,
    problems: [...problems, conflict],
    describe: async ({ visitor, params: { org, number: id } }) => {
      const { name } = await policies.readPolicy(tools.access, callerOfVisitor(visitor), {
        platformKey: org,
        id,
      });
      const here = platformPath(org, 'policies', String(id));
      return {
        org,
        tab: 'policies',
        title: `Delete the policy ${name}?`,
        consequences: html`<p>
          It goes only where no group and no token has it. Its number is not given again.
        </p>`,
        submit: `Delete ${name}`,
        action: `${here}/remove`,
        back: here,
      };
    },
    remove: async ({ visitor, params: { org, number: id }, request }) => {
      const change = changeOf(visitor, org, credentials.clientOf(request));
      await policies.removePolicy(tools.access, { ...change, id });
      return { to: platformPath(org, 'policies') };
    },
  });
}

type Filled = Partial<Record<'name' | 'actions' | 'resources', string>>;

interface ListOptions {
  readonly org: string;
  readonly cursor?: string;
  readonly query?: string;
  readonly problem?: ProblemError;
  readonly filled?: Filled;
  readonly picked?: Picked;
  /** What the picked policy would allow. */
  readonly preview?: string;
}

async function policiesPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, cursor, query: sought, problem, filled, picked, preview = '' }: ListOptions,
): Promise<PersonalPage> {
  const filter = sought === undefined ? {} : { query: sought };
  const query = { platform_key: org, ...(cursor !== undefined && { cursor }), ...filter };
  const found = await policies.listPolicies(
    tools.access,
    callerOfVisitor(visitor),
    query,
    (policy) => policy,
  );
  const rows = found.data.map(({ id, name, actions, resources, createdAt }) => [
    html`${String(id)}`,
    html`<a href="${platformPath(org, 'policies', String(id))}">${name}</a>`,
    html`${String(actions.length)} × ${String(resources.length)}`,
    instant(isoMilliseconds(createdAt)),
  ]);
  const may = await mayIn(tools, visitor, org);
  const { create, kind } = platformTabs.policies;
  const mayCreate = may(create, ...kind);
  // A page of what was found lists nothing else; the picker would list every policy.
  const creation =
    sought === undefined
      ? await creationForms({ tools, visitor, org }, { problem, filled, picked, preview })
      : html`<p><a href="${platformPath(org, 'policies')}">Create a policy</a></p>`;
  return platformPage(
    tools,
    visitor,
    { org, tab: 'policies' },
    {
      title: 'Policies',
      main: html`<p>
          A policy allows each of its actions on each of its resources. It gives nothing until it is attached
          to a group or a token, and whoever attaches it must hold all that it gives.
        </p>
        !${findForm(sought)}
        !${table({ caption: 'The newest first.', columns: ['Number', 'Name', 'Actions × resources', 'Created'], rows, empty: sought === undefined ? 'There are no policies yet. Roles of members need none.' : 'No policy has this name.' })}
        !${olderLink(found.pagination, filter)} !${problemNotice(problem)} !${mayCreate ? creation : ''}`,
    },
  );
}

async function creationForms(
  place: PlatformPlace,
  { problem = null, filled, picked, preview }: EditorOptions & { readonly preview: string },
): Promise<string> {
  const { org } = place;
  const start = {
    actions: 'Daybook.Agents/Agents/read',
    resources: `/organizations/${org}/agents\n/organizations/${org}/agents/**`,
  };
  const fields = rawFields({ ...start, ...filled }, filled === undefined ? null : problem);
  const raw = form({ action: platformPath(org, 'policies'), submit: 'Create policy', fields });
  return html`<h2>Create a policy</h2>
    !${preview} !${await pickerForm(place, picked ?? {}, filled === undefined ? problem : null)}
    <details !${filled === undefined ? '' : 'open'}>
      <summary>Write it as actions and resources instead</summary>
      !${raw}
    </details>`;
}

interface OneOptions {
  readonly org: string;
  readonly number: number;
  readonly news?: string;
  readonly problem?: ProblemError;
  readonly filled?: Filled;
  readonly picked?: Picked;
  /** What the policy would allow. */
  readonly preview?: string;
}

async function policyPage(
  tools: PlatformTools,
  visitor: Visitor,
  { org, number: id, news, problem, filled, picked, preview }: OneOptions,
): Promise<PersonalPage> {
  const policy = await policies.readPolicy(tools.access, callerOfVisitor(visitor), { platformKey: org, id });
  const stored = {
    name: policy.name,
    actions: policy.actions.join('\n'),
    resources: policy.resources.join('\n'),
  };
  const here = platformPath(org, 'policies', String(id));
  const may = await mayIn(tools, visitor, org);
  const { update, delete: remove } = platformTabs.policies;
  const place = ['policies', String(id)];
  const editor = may(update, ...place)
    ? await policyEditor({ tools, visitor, org }, policy, { filled, picked, problem })
    : policyText(stored);
  return platformPage(
    tools,
    visitor,
    { org, tab: 'policies' },
    {
      title: policy.name,
      main: html`<p class="hint">
          Policy ${String(id)}, changed !${instant(isoMilliseconds(policy.updatedAt))}
        </p>
        !${news === undefined ? '' : notice('good', html`<p>${news}</p>`)} !${problemNotice(problem)}
        !${preview ?? (await policyReport({ tools, visitor, org }, policyHolder, { written: policy }))}
        !${editor} !${may(remove, ...place) ? removalLink(`${here}/remove`, 'Delete policy') : ''}`,
    },
  );
}

interface EditorOptions {
  readonly filled: Filled | undefined;
  readonly picked: Picked | undefined;
  readonly problem: ProblemError | undefined | null;
}

/** By area where the policy can be picked so; as actions and resources in any case. */
async function policyEditor(
  place: PlatformPlace,
  policy: Awaited<ReturnType<typeof policies.readPolicy>>,
  { filled, picked, problem = null }: EditorOptions,
): Promise<string> {
  const action = platformPath(place.org, 'policies', String(policy.id));
  const stored = {
    name: policy.name,
    actions: policy.actions.join('\n'),
    resources: policy.resources.join('\n'),
  };
  const byArea = await storedPickerForm(place, policy, {
    ...(picked !== undefined && { filled: picked }),
    problem: filled === undefined ? problem : null,
  });
  const fields = (byArea === null ? policyFields : rawFields)(
    { ...stored, ...filled },
    picked === undefined ? problem : null,
  );
  const raw = form({ action, submit: 'Save', fields });
  if (byArea === null) return raw;
  return html`!${byArea}
    <details !${filled === undefined ? '' : 'open'}>
      <summary>Write it as actions and resources instead</summary>
      !${raw}
    </details>`;
}

/** For those who may read it only. */
function policyText({
  actions,
  resources,
}: {
  readonly actions: string;
  readonly resources: string;
}): string {
  return html`<h2>Actions</h2>
    <pre>${actions}</pre>
    <h2>Resources</h2>
    <pre>${resources}</pre>`;
}

/** Beside the picker, whose name has the plain id. */
function rawFields(filled: Filled, problem: ProblemError | null): string {
  return policyFields(filled, problem).replaceAll(/\b(id|for|aria-describedby)="name/g, '$1="raw-name');
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

import { html } from 'ghtml';
import { Type } from 'typebox';

import { policies } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form } from '../../shell/form-controls.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { beside } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { ListOptions, OneOptions } from './named-resource-pages.ts';
import {
  listQuery,
  namedListPage,
  namedPage,
  namedResourcePages,
  problems,
  saved,
} from './named-resource-pages.ts';
import { pickedPolicyForms, policyHolder } from './picked-policy-forms.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  NumberParams,
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  linesOf,
  platformPath,
} from './platform-frame.ts';
import type { Picked } from './policy-picker.ts';
import { pickerForm, policyReport, storedPickerForm } from './policy-picker.ts';

const PolicyForm = closedObject({
  name: policies.NewPolicySchema.properties.name,
  actions: Type.String({ maxLength: 40_000 }),
  resources: Type.String({ maxLength: 60_000 }),
});

export function policyPages(tools: PlatformTools): readonly RouteDeclaration[] {
  const list = (visitor: Visitor, options: PolicyListOptions): Promise<PersonalPage> =>
    policiesPage({ tools, visitor, org: options.org }, options);
  const one = (visitor: Visitor, options: PolicyOptions): Promise<PersonalPage> =>
    policyPage({ tools, visitor, org: options.org }, options);
  return [
    ...namedResourcePages(tools, {
      tab: 'policies',
      noun: 'policy',
      list: { operationId: 'showPolicies', show: list },
      one: { operationId: 'showPolicy', show: one },
      read: (caller, asked) => policies.readPolicy(tools.access, caller, asked),
      removal: {
        operationId: 'removePolicyOnPage',
        consequences: html`<p>
          Only policies that are not attached to a group or token can be deleted. The number is not reused.
        </p>`,
        remove: (change) => policies.removePolicy(tools.access, change),
      },
    }),
    createForm(tools),
    changeForm(tools),
    ...pickedPolicyForms(tools, { list, one }),
  ];
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies',
    operationId: 'createPolicyOnPage',
    params: OrganizationParams,
    body: PolicyForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, client }) => {
      const policy = await policies.createPolicy(tools.access, {
        ...changeOf(visitor, org, client),
        policy: { name: body.name, actions: linesOf(body.actions), resources: linesOf(body.resources) },
      });
      return { to: platformPath(org, 'policies', String(policy.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      policiesPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

function changeForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies/{number}',
    operationId: 'changePolicyOnPage',
    params: NumberParams,
    body: PolicyForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params, body, client }) => {
      await policies.changePolicy(tools.access, {
        ...changeOf(visitor, params.org, client),
        id: params.number,
        change: { name: body.name, actions: linesOf(body.actions), resources: linesOf(body.resources) },
      });
      return policyPage({ tools, visitor, org: params.org }, { ...params, news: saved });
    },
    refused: async ({ visitor, params, body }, problem) =>
      policyPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

type Filled = Partial<Record<'name' | 'actions' | 'resources', string>>;

interface Entered {
  readonly filled?: Filled;
  readonly picked?: Picked;
  /** Preview of the policy. */
  readonly preview?: string;
}

type PolicyListOptions = ListOptions & Entered;
type PolicyOptions = OneOptions & Entered;
type Policy = Awaited<ReturnType<typeof policies.readPolicy>>;

async function policiesPage(place: PlatformPlace, options: PolicyListOptions): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { problem, filled, picked, preview } = options;
  const { language } = visitor;
  const words = wordsOf(language).console;
  const now = tools.identity.clock.now();
  const asked = listQuery(options);
  return namedListPage<Policy>(place, options, {
    tab: 'policies',
    lead: words.policiesPage.lead,
    create: words.policiesPage.create,
    columns: [
      {
        label: words.columns.name,
        place: 'main',
        cell: ({ id, name }) =>
          html`<a class="name" href="${platformPath(org, 'policies', String(id))}">${name}</a>`,
      },
      {
        label: words.columns.permissions,
        place: 'also',
        cell: ({ actions, resources }) =>
          html`${words.policiesPage.content(actions.length, resources.length)}`,
      },
      { label: words.columns.created, place: 'low', cell: ({ createdAt }) => ago(createdAt, now, language) },
    ],
    found: await policies.listPolicies(tools.access, callerOfVisitor(visitor), asked, (policy) => policy),
    empty: { icon: 'shield', title: words.policiesPage.none, text: words.policiesPage.noneText },
    noneFound: 'No policies match.',
    creation: async () => ({
      form: await creationForms(place, { problem, filled, picked }),
      aside: preview ?? html`<p class="hint">Choose what the policy allows, then preview it here.</p>`,
      isOpen: preview !== undefined,
    }),
  });
}

async function creationForms(
  place: PlatformPlace,
  { problem = null, filled, picked }: EditorOptions,
): Promise<string> {
  const { org } = place;
  const start = {
    actions: 'Daybook.Agents/Agents/read',
    resources: `/organizations/${org}/agents\n/organizations/${org}/agents/**`,
  };
  const fields = rawFields({ ...start, ...filled }, filled === undefined ? null : problem);
  const raw = form({ action: platformPath(org, 'policies'), submit: 'Create policy', fields });
  return html`!${await pickerForm(place, picked ?? {}, filled === undefined ? problem : null)}
    <details !${filled === undefined ? '' : 'open'}>
      <summary>Edit actions and resources as text</summary>
      !${raw}
    </details>`;
}

async function policyPage(place: PlatformPlace, options: PolicyOptions): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { filled, picked, problem, preview } = options;
  const asked = { platformKey: org, id: options.number };
  const policy = await policies.readPolicy(tools.access, callerOfVisitor(visitor), asked);
  return namedPage(place, options, {
    tab: 'policies',
    noun: 'policy',
    removalText: 'Only policies that are not attached to a group or token can be deleted.',
    found: policy,
    content: async (mayChange) =>
      beside(
        mayChange ? await policyEditor(place, policy, { filled, picked, problem }) : policyText(policy),
        preview ?? (await policyReport(place, policyHolder, { written: policy })),
      ),
  });
}

interface EditorOptions {
  readonly filled: Filled | undefined;
  readonly picked: Picked | undefined;
  readonly problem: ProblemError | undefined | null;
}

/** By area where the policy can be picked so; always as actions and resources. */
async function policyEditor(
  place: PlatformPlace,
  policy: Policy,
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
      <summary>Edit actions and resources as text</summary>
      !${raw}
    </details>`;
}

/** For visitors with read access only. */
function policyText({ actions, resources }: Policy): string {
  return html`<h2>Actions</h2>
    <pre>${actions.join('\n')}</pre>
    <h2>Resources</h2>
    <pre>${resources.join('\n')}</pre>`;
}

/** Beside the picker, whose name has the plain id. */
function rawFields(filled: Filled, problem: ProblemError | null): string {
  return policyFields(filled, problem).replaceAll(/\b(id|for|aria-describedby)="name/g, '$1="raw-name');
}

function policyFields(filled: Filled, problem: ProblemError | null): string {
  const { name = '', actions = '', resources = '' } = filled;
  return [
    field({ name: 'name', label: 'Name', value: name, maxLength: 100, autocomplete: 'off', problem }),
    field({
      name: 'actions',
      label: 'Actions',
      hint: 'One per line: Daybook.<Area>/<Resource>/<verb>. * matches one segment, a final ** all remaining segments.',
      value: actions,
      rows: 5,
      problem,
    }),
    field({
      name: 'resources',
      label: 'Resources',
      hint: 'One per line: /organizations/<key>/<kind>/<id>. ** matches everything inside, not the resource itself.',
      value: resources,
      rows: 5,
      problem,
    }),
  ].join('');
}

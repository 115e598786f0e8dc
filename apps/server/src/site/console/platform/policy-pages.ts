import { html } from 'ghtml';

import { policies } from '../../../access/index.ts';
import { conflict } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { problemNotice } from '../../shell/form-controls.ts';
import { say, sayHtml } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { beside } from '../components/parts.ts';
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
  platformPage,
  platformPath,
  platformTabs,
} from './platform-frame.ts';
import type { PolicyFilled } from './policy-editor.ts';
import { PolicyForm, policyEditor, policyOfForm } from './policy-editor.ts';
import { policyReport } from './policy-picker.ts';
import { readyMadePolicies } from './ready-made-policies.ts';

export function policyPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [
    ...namedResourcePages(tools, {
      tab: 'policies',
      list: {
        operationId: 'showPolicies',
        show: async (visitor, options) => policiesPage({ tools, visitor, org: options.org }, options),
      },
      one: {
        operationId: 'showPolicy',
        show: async (visitor, options) => policyPage({ tools, visitor, org: options.org }, options),
      },
      read: (caller, asked) => policies.readPolicy(tools.access, caller, asked),
      removal: {
        operationId: 'removePolicyOnPage',
        consequences: () => html`<p>${removalText()} ${say('The number is not reused.')}</p>`,
        remove: (change) => policies.removePolicy(tools.access, change),
      },
    }),
    createForm(tools),
    changeForm(tools),
  ];
}

function removalText(): string {
  return say('Only policies that are not attached to a group or token can be deleted.');
}

function createForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/policies',
    operationId: 'createPolicyOnPage',
    params: OrganizationParams,
    body: PolicyForm,
    problems: [...problems, conflict],
    show: async ({ visitor, params: { org }, body, client }) => {
      const place = { tools, visitor, org };
      if (body.preview !== undefined) return newPolicyPage(place, { filled: body });
      const policy = await policies.createPolicy(tools.access, {
        ...changeOf(visitor, org, client),
        policy: policyOfForm(place, body),
      });
      return { to: platformPath(org, 'policies', String(policy.id)) };
    },
    refused: async ({ visitor, params, body }, problem) =>
      newPolicyPage({ tools, visitor, org: params.org }, { problem, filled: body }),
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
      const place = { tools, visitor, org: params.org };
      if (body.preview !== undefined) return policyPage(place, { ...params, filled: body });
      await policies.changePolicy(tools.access, {
        ...changeOf(visitor, params.org, client),
        id: params.number,
        change: policyOfForm(place, body),
      });
      return policyPage(place, { ...params, news: saved() });
    },
    refused: async ({ visitor, params, body }, problem) =>
      policyPage({ tools, visitor, org: params.org }, { ...params, problem, filled: body }),
  });
}

interface Entered {
  readonly filled?: PolicyFilled;
}

type Policy = Awaited<ReturnType<typeof policies.readPolicy>>;

async function newPolicyPage(
  place: PlatformPlace,
  { problem, filled }: Entered & Pick<ListOptions, 'problem'> = {},
): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const editor = await policyEditor(place, {
    policy: null,
    ...(filled !== undefined && { filled }),
    ...(problem !== undefined && { problem }),
  });
  return platformPage(tools, visitor, {
    org,
    tab: 'policies',
    title: say('Create policy'),
    lead: wordsOf(visitor.language).console.policiesPage.lead,
    main: html`!${problemNotice(problem)} !${editor} !${filled === undefined ? readyMadePolicies(place) : ''}`,
  });
}

async function policiesPage(place: PlatformPlace, options: ListOptions): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { create, kind } = platformTabs.policies;
  if (options.isCreating === true && (await mayIn(tools, visitor, org))(create, ...kind))
    return newPolicyPage(place);
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
    noneFound: say('No policies match.'),
  });
}

async function policyPage(place: PlatformPlace, options: OneOptions & Entered): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const { filled, problem } = options;
  const asked = { platformKey: org, id: options.number };
  const policy = await policies.readPolicy(tools.access, callerOfVisitor(visitor), asked);
  return namedPage(place, options, {
    tab: 'policies',
    removalText: removalText(),
    found: policy,
    content: async (mayChange) =>
      mayChange
        ? html`!${attachHint(org)}
          !${await policyEditor(place, {
            policy,
            ...(filled !== undefined && { filled }),
            ...(problem !== undefined && { problem }),
          })}`
        : beside(policyText(policy), await policyReport(place, 'policy', { written: policy })),
  });
}

function attachHint(org: string): string {
  const link = (tab: 'groups' | 'tokens', label: string): string =>
    html`<a href="${platformPath(org, tab)}">${label}</a>`;
  return html`<p class="hint">
    !${sayHtml('To use the policy, select it on the page of a {group} or a {token}.', {
      group: link('groups', say('group')),
      token: link('tokens', say('token')),
    })}
  </p>`;
}

/** For visitors with read access only. */
function policyText({ actions, resources }: Policy): string {
  return html`<h2>${say('Actions')}</h2>
    <pre>${actions.join('\n')}</pre>
    <h2>${say('Resources')}</h2>
    <pre>${resources.join('\n')}</pre>`;
}

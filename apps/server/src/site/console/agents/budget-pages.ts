import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { corePermissions, members } from '../../../access/index.ts';
import type { Budget, UsageLine } from '../../../agents/budgets/index.ts';
import {
  budgetPeriods,
  budgetScopes,
  changeBudget,
  listBudgets,
  readUsage,
} from '../../../agents/budgets/index.ts';
import { agents } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { forbidden, invalidField, invalidRequest, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, hidden, notice, problemNotice, select } from '../../shell/form-controls.ts';
import { dataTable } from '../components/data-table.ts';
import { card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import {
  callerOfVisitor,
  mayIn,
  organizationParams,
  platformPage,
  platformPath,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';
import { agentTabs } from './agent-tabs.ts';
import type { AnswerTools } from './answer-pages.ts';
import type { BudgetWords } from './budget-words.ts';
import { budgetWords } from './budget-words.ts';

const Params = Type.Object(organizationParams);
/** Empty: no limit. */
const amount = (digits: string) => Type.Optional(Type.String({ maxLength: 16, pattern: `^(?:${digits})?$` }));
const BudgetForm = closedObject({
  /** A scope, or a scope with the id of its subject. */
  whose: Type.String({ maxLength: 64 }),
  period: Type.Enum([...budgetPeriods]),
  tokens: amount('[0-9]{1,15}'),
  money: amount('[0-9]{1,9}(?:[.][0-9]{1,6})?'),
  /** Present in the form that removes. */
  remove: Type.Optional(Type.Literal('yes')),
});
type Typed = Partial<Static<typeof BudgetForm>>;
const path = '/platform/{org}/agent-budgets';
const millionths = 1_000_000;
/** Of the choices of agents and members. */
const choicesMax = 100;
const currencyOf = ({ answerModels }: AnswerTools): string => answerModels?.currency ?? 'USD';

/** The budgets of an organization for language models, and what is used of them. */
export function budgetPages(tools: AnswerTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showAgentBudgets',
      params: Params,
      problems: [forbidden, notFound],
      show: async ({ visitor, params }) => budgetsPage(tools, visitor, params.org),
    }),
    defineMemberForm(tools, {
      path,
      operationId: 'changeAgentBudgetOnPage',
      params: Params,
      body: BudgetForm,
      problems: [forbidden, invalidRequest, notFound],
      show: async ({ visitor, params: { org }, body, client }) => {
        const budget = budgetOf(body, budgetWords(visitor.language));
        await changeBudget(tools.access, { ...requestOf(visitor, org), client, budget });
        return { to: platformPath(org, 'agent-budgets') };
      },
      refused: async ({ visitor, params, body }, problem) =>
        budgetsPage(tools, visitor, params.org, { typed: body, problem }),
    }),
  ];
}

const requestOf = (visitor: Visitor, org: string) => ({
  caller: callerOfVisitor(visitor),
  organizationKey: org,
  username: visitor.account.username,
});

function budgetOf(body: Static<typeof BudgetForm>, words: BudgetWords): Budget {
  const [scope = '', subject = ''] = body.whose.split(':');
  const known = budgetScopes.find((one) => one === scope);
  if (known === undefined) throw invalidField('whose', 'is unknown');
  const isRemoved = body.remove === 'yes';
  const number = (typed: string | undefined): number | null =>
    typed === undefined || typed === '' || isRemoved ? null : Number(typed);
  const [tokensMax, money] = [number(body.tokens), number(body.money)];
  if (!isRemoved && tokensMax === null && money === null) throw invalidField('tokens', words.required);
  const costMax = money === null ? null : Math.round(money * millionths);
  return {
    scope: known,
    subjectId: subject === '' ? null : subject,
    period: body.period,
    tokensMax,
    costMax,
  };
}

const valueOf = ({ scope, subjectId }: Pick<Budget, 'scope' | 'subjectId'>): string =>
  scope === 'organization' || subjectId === null ? scope : `${scope}:${subjectId}`;

interface Whose {
  readonly value: string;
  readonly label: string;
}

/** The organization, each agent and member, and the ones with a name. */
async function choicesOf(
  tools: AnswerTools,
  visitor: Visitor,
  org: string,
  words: BudgetWords,
): Promise<readonly Whose[]> {
  const page = { limit: choicesMax };
  const found = await agents.searchAgents(
    tools.access,
    { ...requestOf(visitor, org), page, filter: {} },
    ({ id, displayName }) => ({ value: `agent:${id}`, label: words.named(words.scopes.agent, displayName) }),
  );
  const asked = { ...page, platform_key: org };
  const people = await members.listMembers(
    tools.access,
    callerOfVisitor(visitor),
    asked,
    ({ id, username }) => ({ value: `member:${id}`, label: words.named(words.scopes.member, username) }),
  );
  const every = budgetScopes.map((scope) => ({ value: scope, label: words.every[scope] }));
  return [...every, ...found.data, ...people.data];
}

async function budgetsPage(
  tools: AnswerTools,
  visitor: Visitor,
  org: string,
  { typed = {}, problem }: { readonly typed?: Typed; readonly problem?: ProblemError } = {},
): Promise<PersonalPage> {
  const words = budgetWords(visitor.language);
  const request = requestOf(visitor, org);
  const [budgets, usage, choices, may] = await Promise.all([
    listBudgets(tools.access, request),
    readUsage(tools.access, { ...request, agentId: null }),
    choicesOf(tools, visitor, org, words),
    mayIn(tools, visitor, org),
  ]);
  const mayChange = may(corePermissions.organizationActions.update);
  const model = tools.answerModels === null ? notice('plain', html`<p>${words.noModel}</p>`) : '';
  const creation = mayChange
    ? card({
        title: words.set,
        text: words.saveText,
        isPadded: true,
        content: budgetForm(org, choices, { currency: currencyOf(tools), words, typed, problem }),
      })
    : '';
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: words.budgets,
    tabs: agentTabs(org, visitor.language, 'budgets'),
    main: html`!${problemNotice(problem)} !${model}
      <p class="hint">${words.intro}</p>
      !${usageTable(tools, visitor, usage)}
      !${budgetTable(tools, visitor, { org, budgets, choices, mayChange })} !${creation}`,
  });
}

const count = (value: number): string => value.toLocaleString('en-US');
const money = (value: number): string =>
  value > 0 && value < millionths / 100 ? '< 0.01' : (value / millionths).toFixed(2);

function usageTable(tools: AnswerTools, { language }: Visitor, usage: readonly UsageLine[]): string {
  const words = budgetWords(language);
  const limited = (used: string, limit: string | null): string =>
    limit === null ? html`${used}` : html`${words.of(used, limit)}`;
  return dataTable(language, {
    caption: words.usage,
    rows: usage,
    columns: [
      {
        label: words.usage,
        place: 'main',
        cell: ({ scope, period }) =>
          html`${words.usageOf(scope === 'member' ? words.you : words.scopes[scope], words.per[period])}`,
      },
      { label: words.calls, place: 'low', cell: ({ calls }) => html`${count(calls)}` },
      {
        label: words.tokens,
        place: 'also',
        cell: ({ tokens, tokensMax }) => limited(count(tokens), tokensMax === null ? null : count(tokensMax)),
      },
      {
        label: words.money(currencyOf(tools)),
        place: 'also',
        cell: ({ cost, costMax }) => limited(money(cost), costMax === null ? null : money(costMax)),
      },
      {
        label: words.renews,
        place: 'also',
        cell: ({ renewsAt }) =>
          html`<span class="unbroken">${isoMilliseconds(renewsAt).slice(0, 16).replace('T', ' ')}</span>`,
      },
    ],
    empty: { icon: 'pulse', title: words.empty },
  });
}

function budgetTable(
  tools: AnswerTools,
  { language }: Visitor,
  {
    org,
    budgets,
    choices,
    mayChange,
  }: {
    readonly org: string;
    readonly budgets: readonly Budget[];
    readonly choices: readonly Whose[];
    readonly mayChange: boolean;
  },
): string {
  const words = budgetWords(language);
  const nameOf = (budget: Budget): string =>
    choices.find(({ value }) => value === valueOf(budget))?.label ?? words.scopes[budget.scope];
  return dataTable(language, {
    caption: words.list,
    rows: budgets,
    columns: [
      {
        label: words.whose,
        place: 'main',
        cell: (budget) => html`<span class="name">${nameOf(budget)}</span>`,
      },
      { label: words.period, place: 'state', cell: ({ period }) => html`${words.periods[period]}` },
      {
        label: words.tokens,
        place: 'also',
        cell: ({ tokensMax }) => html`${tokensMax === null ? words.unlimited : count(tokensMax)}`,
      },
      {
        label: words.money(currencyOf(tools)),
        place: 'also',
        cell: ({ costMax }) => html`${costMax === null ? words.unlimited : money(costMax)}`,
      },
    ],
    nameOf,
    menu: (budget) =>
      mayChange
        ? [
            {
              label: words.remove,
              icon: 'trash',
              action: platformPath(org, 'agent-budgets'),
              fields:
                hidden('whose', valueOf(budget)) + hidden('period', budget.period) + hidden('remove', 'yes'),
              isDangerous: true,
            },
          ]
        : [],
    empty: { icon: 'pulse', title: words.empty, text: words.emptyText },
  });
}

function budgetForm(
  org: string,
  choices: readonly Whose[],
  {
    currency,
    words,
    typed,
    problem,
  }: {
    readonly currency: string;
    readonly words: BudgetWords;
    readonly typed: Typed;
    readonly problem: ProblemError | undefined;
  },
): string {
  const periods = budgetPeriods.map((value) => ({ value, label: words.periods[value] }));
  const limit = (name: 'tokens' | 'money', label: string, hint?: string): string =>
    field({
      name,
      label,
      value: typed[name] ?? '',
      required: false,
      maxLength: 16,
      problem,
      ...(hint !== undefined && { hint }),
    });
  const fields = html`!${select({
    name: 'whose',
    label: words.whose,
    options: choices,
    chosen: [typed.whose ?? 'organization'],
  })}
  !${select({ name: 'period', label: words.period, options: periods, chosen: [typed.period ?? 'day'] })}
  !${limit('tokens', words.tokens)} !${limit('money', words.money(currency), words.moneyHint)}`;
  return form({ action: platformPath(org, 'agent-budgets'), submit: words.save, fields });
}

import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { MemberParams, agentsRequestOf, memberPath } from '../agents-address.ts';
import type { AgentsDeps } from '../agents-deps.ts';
import type { Budget } from './budget.ts';
import { budgetPeriods, budgetScopes } from './budget.ts';
import type { UsageLine } from './budgets.ts';
import { changeBudget, listBudgets, readUsage } from './budgets.ts';

interface BudgetRoutesDeps extends AgentsDeps {
  readonly surface: Surface;
}

const tag = 'answers';
const budgetsPath = `${memberPath}/agent-budgets/`;
const limit = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], { description });

const limits = {
  tokens_max: limit('Input and output tokens together; null: no limit.'),
  cost_max: limit('In millionths of the currency of the prices; null: no limit.'),
};
const scope = Type.Enum([...budgetScopes]);
const period = Type.Enum([...budgetPeriods], { description: 'Period of the UTC calendar.' });

export const BudgetSchema = titledObject('AgentBudget', {
  scope,
  subject: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description:
      'The id of an agent or account; null: every agent or member without a budget of its own, or the organization.',
  }),
  period,
  ...limits,
});

const amount = Type.Integer({ minimum: 0 });
const UsageSchema = titledObject('AgentUsage', {
  scope,
  period,
  renews_at: Type.String({ format: 'date-time' }),
  calls: amount,
  tokens: Type.Integer({
    minimum: 0,
    description: 'Reserved and used amounts. A call in progress counts with its maximum.',
  }),
  cost: amount,
  ...limits,
});

export function budgetRoutes(deps: BudgetRoutesDeps): readonly RouteDeclaration[] {
  return [usageRoute(deps), ...settingRoutes(deps)];
}

function usageRoute(deps: BudgetRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${memberPath}/agent-usage/`,
    surface: deps.surface,
    operationId: 'readAgentUsage',
    tag,
    summary: 'Get the usage of language models in the current minute, day and month.',
    description: 'Usage of the organization, of the member, and of the agent in the query.',
    params: MemberParams,
    query: closedObject({ agent: Type.Optional(Type.String({ maxLength: 64 })) }),
    responses: { 200: { description: 'The usage.', schema: Type.Array(UsageSchema) } },
    problems: [forbidden, notFound],
    handle: async ({ params, query, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: query.agent ?? null };
      return reply.header('cache-control', 'no-store').send((await readUsage(deps, asked)).map(presentUsage));
    },
  });
}

function settingRoutes(deps: BudgetRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: budgetsPath,
      surface: deps.surface,
      operationId: 'listAgentBudgets',
      tag,
      summary: 'List the budgets of language models.',
      params: MemberParams,
      responses: { 200: { description: 'All budgets.', schema: Type.Array(BudgetSchema) } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const budgets = await listBudgets(deps, agentsRequestOf(request, params));
        return reply.header('cache-control', 'no-store').send(budgets.map(presentBudget));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: budgetsPath,
      surface: deps.surface,
      operationId: 'changeAgentBudget',
      tag,
      summary: 'Set or remove a budget of language models.',
      description:
        'Requires the permission to change the organization. A budget without limits is removed. Calls that have begun are not affected.',
      params: MemberParams,
      body: BudgetSchema,
      bodyBytesMax: 4 * 1024,
      responses: { 200: { description: 'The budget.', schema: BudgetSchema } },
      problems: [forbidden, notFound],
      handle: async ({ params, body, request, reply }) => {
        const budget = {
          scope: body.scope,
          subjectId: body.subject,
          period: body.period,
          tokensMax: body.tokens_max,
          costMax: body.cost_max,
        };
        await changeBudget(deps, { ...agentsRequestOf(request, params), budget });
        return reply.header('cache-control', 'no-store').send(body);
      },
    }),
  ];
}

function presentBudget(budget: Budget): Static<typeof BudgetSchema> {
  return {
    scope: budget.scope,
    subject: budget.scope === 'organization' ? null : budget.subjectId,
    period: budget.period,
    tokens_max: budget.tokensMax,
    cost_max: budget.costMax,
  };
}

function presentUsage(line: UsageLine): Static<typeof UsageSchema> {
  return {
    scope: line.scope,
    period: line.period,
    renews_at: isoMilliseconds(line.renewsAt),
    calls: line.calls,
    tokens: line.tokens,
    cost: line.cost,
    tokens_max: line.tokensMax,
    cost_max: line.costMax,
  };
}

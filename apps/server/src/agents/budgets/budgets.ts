import { callers, changes, corePermissions, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { invalidRequest } from '../../foundation/http/http-problems.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { agentActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { requireAgent } from '../agents/read-agents.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { saveBudget, selectBudgets, selectUsage } from './budget-store.ts';
import type { Budget, BudgetPeriod, BudgetScope } from './budget.ts';
import { budgetPeriods, periodAt } from './budget.ts';
import { budgetOf } from './reserve-call.ts';

const { organizationActions } = corePermissions;

/** What a subject has used in the present period, and its limit. */
export interface UsageLine {
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  readonly renewsAt: EpochMicroseconds;
  readonly calls: number;
  readonly tokens: number;
  readonly cost: number;
  readonly tokensMax: number | null;
  readonly costMax: number | null;
}

/** The usage of the organization, of the member, and of an agent if the request names one. */
export async function readUsage(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly agentId: string | null },
): Promise<readonly UsageLine[]> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
  const { organization } = actor;
  callers.requirePermission(actor, organizationActions.read, permissions.resourceOf(organization.key));
  const agent =
    request.agentId === null ? null : await requireAgent(deps, actor, request.agentId, agentActions.read);
  const subjects = [
    { scope: 'organization', subjectId: organization.id },
    ...(agent === null ? [] : [{ scope: 'agent', subjectId: agent.id } as const]),
    { scope: 'member', subjectId: member.id },
  ] as const;
  const now = deps.clock.now();
  const ids = subjects.map(({ subjectId }) => subjectId);
  const [budgets, used] = await Promise.all([
    selectBudgets(deps.database, organization),
    selectUsage(deps.database, organization, ids, now),
  ]);
  return subjects.flatMap((subject) =>
    budgetPeriods.map((period): UsageLine => {
      const line = { ...subject, period };
      const usage = used.find((one) => one.subjectId === subject.subjectId && one.period === period);
      const { tokensMax = null, costMax = null } = budgetOf(budgets, line) ?? {};
      const { calls = 0, tokens = 0, cost = 0 } = usage ?? {};
      const { scope } = subject;
      return { scope, period, renewsAt: periodAt(period, now).to, calls, tokens, cost, tokensMax, costMax };
    }),
  );
}

/** Every budget that the organization has set. */
export async function listBudgets(deps: AgentsDeps, request: AgentsRequest): Promise<readonly Budget[]> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, organizationActions.read, permissions.resourceOf(organization.key));
  return selectBudgets(deps.database, organization);
}

export const budgetChanged = defineAuditKind(
  'agent_budget_changed',
  (word) => `You changed the budget of language models per ${word('period')} (${word('scope')}).`,
);

/** A subject is named by its id; null is every agent or member without a budget of its own. */
export async function changeBudget(
  deps: AgentsDeps,
  request: AgentsChange & { readonly budget: Budget },
): Promise<void> {
  const { actor } = await enterAsMember(deps, request);
  const { organization } = actor;
  callers.requirePermission(actor, organizationActions.update, permissions.resourceOf(organization.key));
  const { scope, period, tokensMax, costMax } = request.budget;
  if (scope === 'organization' && request.budget.subjectId !== null)
    throw new ProblemError(invalidRequest, 'The budget of the organization has no subject.');
  const subjectId = scope === 'organization' ? organization.id : request.budget.subjectId;
  const { client } = request;
  await deps.database.transaction().execute(async (transaction) => {
    await saveBudget(transaction, organization, { ...request.budget, subjectId });
    const detail = {
      scope,
      period,
      subject: subjectId ?? 'every',
      tokens: String(tokensMax ?? 'unlimited'),
      cost: String(costMax ?? 'unlimited'),
    };
    const at = deps.clock.now();
    await changes.recordActorEvent(transaction, deps, actor, { kind: budgetChanged, at, client, detail });
  });
}

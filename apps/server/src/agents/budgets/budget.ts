import type { callers } from '../../access/index.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, temporalInstant } from '../../foundation/instant.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';

export const budgetScopes = ['organization', 'agent', 'member'] as const;
export type BudgetScope = (typeof budgetScopes)[number];

/** Of the UTC calendar. */
export const budgetPeriods = ['minute', 'day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Whose call it is. */
export interface Payer {
  readonly organizationId: callers.Organization['id'];
  readonly agentId: AgentId;
  readonly accountId: accounts.AccountId;
}

/** `cost` is in millionths of the currency of the prices. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

export interface Budget {
  readonly scope: BudgetScope;
  /** Null: every agent or member without a budget of its own. */
  readonly subjectId: string | null;
  readonly period: BudgetPeriod;
  readonly tokensMax: number | null;
  readonly costMax: number | null;
}

/** A period of a subject, with what is reserved and used in it. */
export interface Usage extends Amount {
  readonly scope: BudgetScope;
  readonly subjectId: string;
  readonly period: BudgetPeriod;
  readonly startsAt: EpochMicroseconds;
  readonly calls: number;
}

export const budgetExhausted: ProblemDefinition = {
  code: 'budget_exhausted',
  kind: 'limited',
  title: 'Budget exhausted',
  explanation:
    'A budget of tokens or money for language models is used up. `Retry-After` and `detail` state when it renews. Agents without a language model use no budget.',
};

export function subjectOf(payer: Payer, scope: BudgetScope): string {
  if (scope === 'agent') return payer.agentId;
  return scope === 'member' ? payer.accountId : payer.organizationId;
}

/** The period of the UTC calendar that contains a moment. */
export function periodAt(
  period: BudgetPeriod,
  at: EpochMicroseconds,
): Record<'from' | 'to', EpochMicroseconds> {
  const floor = temporalInstant(at)
    .toZonedDateTimeISO('UTC')
    .round({ smallestUnit: period === 'month' ? 'day' : period, roundingMode: 'floor' });
  const from = period === 'month' ? floor.with({ day: 1 }) : floor;
  const to = from.add({ [`${period}s`]: 1 });
  return { from: instantOf(from), to: instantOf(to) };
}

const instantOf = (moment: Temporal.ZonedDateTime): EpochMicroseconds =>
  epochMicroseconds(moment.epochNanoseconds / 1_000n);

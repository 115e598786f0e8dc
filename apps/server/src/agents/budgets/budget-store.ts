import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { Amount, Budget, BudgetPeriod, BudgetScope, Payer, Usage } from './budget.ts';
import { budgetPeriods, budgetScopes, periodAt, subjectOf } from './budget.ts';

type Organization = Pick<callers.Organization, 'id'>;

const everySubject = '00000000-0000-0000-0000-000000000000';

export async function selectBudgets(database: Database, { id }: Organization): Promise<readonly Budget[]> {
  const rows = await database
    .selectFrom('agents.budget')
    .select(['scope', 'subject_id', 'period', 'tokens_max', 'cost_max'])
    .where('organization_id', '=', id)
    .orderBy('scope')
    .orderBy('subject_id')
    .orderBy('period')
    .execute();
  return rows.map((row) => ({
    scope: row.scope as BudgetScope,
    subjectId: row.subject_id === everySubject ? null : row.subject_id,
    period: row.period as BudgetPeriod,
    tokensMax: numberOrNull(row.tokens_max),
    costMax: numberOrNull(row.cost_max),
  }));
}

const numberOrNull = (value: bigint | number | string | null): number | null =>
  value === null ? null : Number(value);

const bigintOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

/** Without a limit, the budget is removed. */
export async function saveBudget(database: Database, { id }: Organization, budget: Budget): Promise<void> {
  const { scope, period, tokensMax, costMax } = budget;
  const key = { organization_id: id, scope, subject_id: budget.subjectId ?? everySubject, period };
  await database
    .deleteFrom('agents.budget')
    .where('organization_id', '=', id)
    .where('scope', '=', scope)
    .where('subject_id', '=', key.subject_id)
    .where('period', '=', period)
    .execute();
  if (tokensMax === null && costMax === null) return;
  await database
    .insertInto('agents.budget')
    .values({ ...key, tokens_max: bigintOrNull(tokensMax), cost_max: bigintOrNull(costMax) })
    .execute();
}

/** Adds to every period of the payer that contains the moment, and returns the sums. Locks them until the transaction ends. */
export async function addUsage(
  transaction: Transaction<DB>,
  payer: Payer,
  at: EpochMicroseconds,
  { calls, tokens, cost }: Amount & { readonly calls: number },
): Promise<readonly Usage[]> {
  // Always in this order: two calls of an organization wait for each other at its first row and cannot deadlock.
  const values = budgetScopes.flatMap((scope) =>
    budgetPeriods.map((period) => ({
      organization_id: payer.organizationId,
      scope,
      subject_id: subjectOf(payer, scope),
      period,
      starts_at: isoMicroseconds(periodAt(period, at).from),
      calls: BigInt(calls),
      tokens: BigInt(tokens),
      cost: BigInt(cost),
    })),
  );
  const rows = await transaction
    .insertInto('agents.model_usage')
    .values(values)
    .onConflict((known) =>
      known.columns(['organization_id', 'scope', 'subject_id', 'period', 'starts_at']).doUpdateSet({
        calls: sql`model_usage.calls + excluded.calls`,
        tokens: sql`model_usage.tokens + excluded.tokens`,
        cost: sql`model_usage.cost + excluded.cost`,
      }),
    )
    .returning(['scope', 'subject_id', 'period', 'starts_at', 'calls', 'tokens', 'cost'])
    .execute();
  return rows.map(usageOf);
}

/** The present usage of some subjects, in the periods that contain the moment. */
export async function selectUsage(
  database: Database,
  { id }: Organization,
  subjectIds: readonly string[],
  at: EpochMicroseconds,
): Promise<readonly Usage[]> {
  const starts = budgetPeriods.map((period) => isoMicroseconds(periodAt(period, at).from));
  const rows = await database
    .selectFrom('agents.model_usage')
    .select(['scope', 'subject_id', 'period', 'starts_at', 'calls', 'tokens', 'cost'])
    .where('organization_id', '=', id)
    .where('subject_id', 'in', [...subjectIds])
    .where(
      sql<boolean>`(period, starts_at) IN (SELECT * FROM unnest(${[...budgetPeriods]}::text[], ${starts}::timestamptz[]))`,
    )
    .execute();
  return rows.map(usageOf);
}

function usageOf(row: {
  readonly scope: string;
  readonly subject_id: string;
  readonly period: string;
  readonly starts_at: string;
  readonly calls: bigint | number | string;
  readonly tokens: bigint | number | string;
  readonly cost: bigint | number | string;
}): Usage {
  return {
    scope: row.scope as BudgetScope,
    subjectId: row.subject_id,
    period: row.period as BudgetPeriod,
    startsAt: fromTimestamptz(row.starts_at),
    calls: Number(row.calls),
    tokens: Number(row.tokens),
    cost: Number(row.cost),
  };
}

export interface ReservedCall extends Payer {
  readonly key: string;
  readonly provider: string;
  readonly model: string;
  readonly reserved: Amount;
  readonly at: EpochMicroseconds;
}

export async function insertModelCall(transaction: Transaction<DB>, call: ReservedCall): Promise<void> {
  await transaction
    .insertInto('agents.model_call')
    .values({
      key: call.key,
      organization_id: call.organizationId,
      agent_id: call.agentId,
      account_id: call.accountId,
      provider: call.provider,
      model: call.model,
      reserved_tokens: BigInt(call.reserved.tokens),
      reserved_cost: BigInt(call.reserved.cost),
      reserved_at: isoMicroseconds(call.at),
      state: 'reserved',
      tokens: BigInt(call.reserved.tokens),
      cost: BigInt(call.reserved.cost),
    })
    .execute();
}

export interface SettledAmount extends Amount {
  readonly state: 'received' | 'failed' | 'refused';
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export async function settleModelCall(
  transaction: Transaction<DB>,
  key: string,
  { state, inputTokens, outputTokens, tokens, cost }: SettledAmount,
): Promise<void> {
  await transaction
    .updateTable('agents.model_call')
    .set({
      state,
      input_tokens: bigintOrNull(inputTokens),
      output_tokens: bigintOrNull(outputTokens),
      tokens: BigInt(tokens),
      cost: BigInt(cost),
    })
    .where('key', '=', key)
    .execute();
}

/** Minutes are stored for a day, other periods and calls for 400 days. */
export async function removeOldUsage(database: Database): Promise<number> {
  const usage = await deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM agents.model_usage WHERE (organization_id, scope, subject_id, period, starts_at) IN (
        SELECT organization_id, scope, subject_id, period, starts_at FROM agents.model_usage
        WHERE (period = 'minute' AND starts_at < now() - interval '1 day') OR starts_at < now() - interval '400 days'
        LIMIT ${rows})`.execute(database);
    return Number(numAffectedRows);
  });
  const calls = await deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM agents.model_call WHERE key IN (
        SELECT key FROM agents.model_call WHERE reserved_at < now() - interval '400 days' LIMIT ${rows})`.execute(
      database,
    );
    return Number(numAffectedRows);
  });
  return usage + calls;
}

import type { Transaction } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReservedCall } from './budget-store.ts';
import { addUsage, insertModelCall, selectBudgets, settleModelCall } from './budget-store.ts';
import type { Amount, Budget, Payer, Usage } from './budget.ts';
import { budgetExhausted, periodAt } from './budget.ts';

/** In the transaction of the intent: the call may begin only if every budget has room for its largest possible amount. */
export async function reserveCall(transaction: Transaction<DB>, call: ReservedCall): Promise<void> {
  const used = await addUsage(transaction, call, call.at, { calls: 1, ...call.reserved });
  // Read after the usage is locked: a budget that was lowered before applies.
  const budgets = await selectBudgets(transaction, { id: call.organizationId });
  const exceeded = used.flatMap((usage) => {
    const budget = budgetOf(budgets, usage);
    return budget !== undefined && isExceeded(usage, budget) ? [usage] : [];
  });
  if (exceeded.length > 0) throw exhausted(exceeded, call.at);
  await insertModelCall(transaction, call);
}

/** A budget of the subject itself replaces that of all subjects. */
export function budgetOf(
  budgets: readonly Budget[],
  usage: Pick<Usage, 'scope' | 'subjectId' | 'period'>,
): Budget | undefined {
  const candidates = budgets.filter(({ scope, period }) => scope === usage.scope && period === usage.period);
  return (
    candidates.find(({ subjectId }) => subjectId === usage.subjectId) ??
    candidates.find(({ subjectId }) => subjectId === null)
  );
}

function isExceeded({ tokens, cost }: Usage, { tokensMax, costMax }: Budget): boolean {
  return (tokensMax !== null && tokens > tokensMax) || (costMax !== null && cost > costMax);
}

const frequencies = { minute: 'per-minute', day: 'daily', month: 'monthly' } as const;

/** The last renewal counts: before it, another attempt would be refused too. */
function exhausted(exceeded: readonly Usage[], now: EpochMicroseconds): ProblemError {
  const [latest] = exceeded
    .map((usage) => ({ ...usage, renewsAt: periodAt(usage.period, now).to }))
    .sort((one, other) => Number(other.renewsAt - one.renewsAt));
  if (latest === undefined) throw new RangeError('no budget is exceeded');
  const { scope, period, renewsAt } = latest;
  return new ProblemError(
    budgetExhausted,
    `The ${frequencies[period]} budget of the ${scope} is used up. It renews at ${isoMilliseconds(renewsAt)}.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(Number(renewsAt - now) / 1_000_000)),
    },
  );
}

/** What a call has cost, as far as known. */
export type CallCost =
  | ({ readonly state: 'received'; readonly inputTokens: number; readonly outputTokens: number } & Amount)
  /** It may have cost everything that was reserved. */
  | { readonly state: 'failed' }
  | { readonly state: 'refused' };

/** In the transaction of the receipt: the difference to the reservation is free again. */
export async function settleCall(
  transaction: Transaction<DB>,
  call: ReservedCall,
  result: CallCost,
): Promise<void> {
  const { tokens, cost } = amountOf(call, result);
  const counted = result.state === 'received' ? result : { inputTokens: null, outputTokens: null };
  const difference = { tokens: tokens - call.reserved.tokens, cost: cost - call.reserved.cost };
  const payer: Payer = call;
  await addUsage(transaction, payer, call.at, { calls: 0, ...difference });
  await settleModelCall(transaction, call.key, { ...counted, state: result.state, tokens, cost });
}

function amountOf({ reserved }: ReservedCall, result: CallCost): Amount {
  if (result.state === 'received') return result;
  return result.state === 'failed' ? reserved : { tokens: 0, cost: 0 };
}

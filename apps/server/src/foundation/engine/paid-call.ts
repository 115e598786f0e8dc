import type { Transaction } from 'kysely';

import type { DB } from '../database/generated/database-types.ts';
import type { Logger } from '../logger.ts';
import type { FencedDeps } from './fenced-transaction.ts';
import { runFenced } from './fenced-transaction.ts';
import type { PaidIntent, PaidOutcome } from './paid-call-store.ts';
import { insertIntent, readLastAttempt, settleIntent } from './paid-call-store.ts';

const errorCharsMax = 500;

/** Why no receipt exists: the process died between intent and receipt, or the call itself failed. */
export type PaidFailure = 'interrupted' | 'failed';

export interface PaidCall<Output> {
  /** Makes the call. `idempotencyKey` is permanently the same for the same step of the same workflow. */
  readonly call: (idempotencyKey: string, signal: AbortSignal) => Promise<Output>;
  /** The result of the step in that case. It spends nothing. */
  readonly fallback: (why: PaidFailure) => Output | Promise<Output>;
  /** Whether an error proves that no money was spent, such as a refused connection or a 429. Default: never. */
  readonly isUnspent?: (error: unknown) => boolean;
  /** Maximum attempts, as long as each earlier one certainly cost nothing. */
  readonly attemptsMax?: number;
  /** Writes in the transaction of the intent, such as the reservation of a budget; an error prevents the call. */
  readonly onIntent?: (transaction: Transaction<DB>) => Promise<void>;
  /** Writes in the transaction of the receipt; without `output`, the call failed. */
  readonly onSettled?: (transaction: Transaction<DB>, settled: SettledCall<Output>) => Promise<void>;
}

export interface SettledCall<Output> {
  readonly outcome: PaidOutcome;
  readonly output?: Output;
}

export interface PaidCallDeps extends FencedDeps {
  readonly logger: Logger;
  /** Retries after transient database errors. */
  readonly untilDone: <Output>(work: () => Promise<Output>) => Promise<Output>;
}

export interface PaidStep {
  readonly workflowId: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * Spends at most once. The intent is committed before the call, the receipt after it; an intent without a receipt
 * counts as spent when the step runs again. Both are fenced, so a process that was suspended during its takeover
 * neither begins a call nor overwrites its result.
 */
export async function performPaidCall<Output>(
  deps: PaidCallDeps,
  step: PaidStep,
  paid: PaidCall<Output>,
): Promise<Output> {
  for (;;) {
    const begun = await deps.untilDone(() => begin(deps, step, paid));
    if (begun.kind === 'received') return begun.receipt as Output;
    if (begun.kind === 'lost') return paid.fallback(begun.why);
    const made = await makeCall(deps.logger, step, begun.intent.attempt, paid);
    const receipt = JSON.stringify(made.output ?? null);
    await deps.untilDone(() =>
      runFenced(deps, async (transaction) => {
        const isFirst = await settleIntent(transaction, begun.intent, { outcome: made.outcome, receipt });
        if (isFirst) await paid.onSettled?.(transaction, made);
      }),
    );
    if (made.outcome === 'received') return JSON.parse(receipt) as Output;
  }
}

/** The error is logged here, because the fallback replaces it and no caller sees it. */
async function makeCall<Output>(
  logger: Logger,
  step: PaidStep,
  attempt: number,
  paid: PaidCall<Output>,
): Promise<SettledCall<Output>> {
  try {
    return { outcome: 'received', output: await paid.call(step.key, step.signal) };
  } catch (error) {
    const outcome = paid.isUnspent?.(error) === true ? 'unspent' : 'failed';
    logger.warn({ error: describeError(error), paidCall: step.key, attempt, outcome }, 'a paid call failed');
    return { outcome };
  }
}

/** Not the whole error: errors of HTTP clients contain credentials and bodies of any length. */
function describeError(error: unknown): string {
  return String(error).slice(0, errorCharsMax);
}

type Begun =
  | { readonly kind: 'intended'; readonly intent: PaidIntent }
  | { readonly kind: 'received'; readonly receipt: unknown }
  | { readonly kind: 'lost'; readonly why: PaidFailure };

function begin<Output>(
  deps: FencedDeps,
  step: PaidStep,
  { attemptsMax = 1, onIntent }: PaidCall<Output>,
): Promise<Begun> {
  return runFenced(deps, async (transaction): Promise<Begun> => {
    const last = await readLastAttempt(transaction, step.key);
    if (last?.outcome === 'received') return { kind: 'received', receipt: last.receipt };
    if (last?.outcome === 'failed') return { kind: 'lost', why: 'failed' };
    if (last?.outcome === null) return { kind: 'lost', why: 'interrupted' };
    const attempt = (last?.attempt ?? 0) + 1;
    if (attempt > attemptsMax) return { kind: 'lost', why: 'failed' };
    const intent = { key: step.key, attempt, workflowId: step.workflowId, epoch: deps.epoch };
    await insertIntent(transaction, intent);
    await onIntent?.(transaction);
    return { kind: 'intended', intent };
  });
}

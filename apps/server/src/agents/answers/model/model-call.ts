import type { SettledCall } from '../../../foundation/engine/paid-call.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { ModelUnavailable } from '../../../foundation/models/model-calls.ts';
import { describeModelFailure } from '../../../foundation/models/model-endpoint.ts';
import type { Amount, Payer } from '../../budgets/budget.ts';
import type { CallCost } from '../../budgets/reserve-call.ts';
import { reserveCall, settleCall } from '../../budgets/reserve-call.ts';
import type { AnswerModels, AnswerProvider } from './answer-models.ts';
import type { Prompt } from './prompt.ts';

/** The receipt of a call. It contains no text: a text may rest on a source that is withdrawn later. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a model did not write, or not to the end. */
export type CallFailure = 'failed' | 'slow';

export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';
  readonly why: CallFailure;

  constructor(why: CallFailure, options?: ErrorOptions) {
    super(`the model did not answer: ${why}`, options);
    this.why = why;
  }
}

export interface AnswerCall {
  readonly provider: AnswerProvider;
  /** Identifies the call: it is paid for at most once. */
  readonly key: string;
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
  readonly onText: (piece: string) => void;
  readonly payer: Payer;
  readonly now: () => EpochMicroseconds;
}

/** One paid call. A repetition under the same key spends nothing and fails, since its text is not stored. */
export async function callModel({ session }: AnswerModels, call: AnswerCall): Promise<CallUsage> {
  const { provider, key, prompt, signal, payer } = call;
  const { name, model, prices, outputTokensMax } = provider;
  const at = call.now();
  const reserved = amountOf({ inputTokens: inputTokensMax(prompt), outputTokens: outputTokensMax }, prices);
  const reservation = { ...payer, key, provider: name, model, reserved, at };
  let [isSent, isSlow, isLost] = [false, false, false];
  const usage = await session.perform<CallUsage | null>(
    { workflowId: key, key, signal },
    {
      call: async (idempotencyKey) => {
        isSent = true;
        try {
          const { inputTokens, outputTokens } = await provider.calls.write({
            model: provider.model,
            ...prompt,
            outputTokensMax: provider.outputTokensMax,
            idempotencyKey,
            signal,
            onText: call.onText,
          });
          if (inputTokens === null || outputTokens === null) return null;
          return { inputTokens, outputTokens };
        } catch (error) {
          isSlow = !signal.aborted && isTimeout(error);
          throw error;
        }
      },
      fallback: () => {
        isLost = true;
        return null;
      },
      onIntent: (transaction) => reserveCall(transaction, reservation),
      onSettled: (transaction, { outcome, output }) =>
        settleCall(transaction, reservation, costOf(outcome, output ?? null, prices)),
      isUnspent: (error) => error instanceof ModelUnavailable || describeModelFailure(error).isRefusedForNow,
    },
  );
  signal.throwIfAborted();
  if (isLost || !isSent) throw new ModelCallError(isSlow ? 'slow' : 'failed');
  return usage ?? { inputTokens: 0, outputTokens: 0 };
}

/** A token is at least one byte of UTF-8; the rest is for the frame of the messages. */
const frameTokens = 200;

function inputTokensMax({ system, prompt }: Prompt): number {
  return Buffer.byteLength(system) + Buffer.byteLength(prompt) + frameTokens;
}

/** A price per million tokens is a price in millionths per token. */
function amountOf(
  { inputTokens, outputTokens }: CallUsage,
  { input, output }: AnswerProvider['prices'],
): Amount {
  return {
    tokens: inputTokens + outputTokens,
    cost: Math.ceil(inputTokens * input + outputTokens * output),
  };
}

/** A server that does not count its tokens has used what was reserved. */
function costOf(
  outcome: SettledCall<unknown>['outcome'],
  usage: CallUsage | null,
  prices: AnswerProvider['prices'],
): CallCost {
  if (outcome === 'unspent') return { state: 'refused' };
  if (outcome === 'failed' || usage === null) return { state: 'failed' };
  return { state: 'received', ...usage, ...amountOf(usage, prices) };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause));
}

import { ModelUnavailable } from '../../../foundation/models/model-calls.ts';
import { describeModelFailure } from '../../../foundation/models/model-endpoint.ts';
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
}

/** One paid call. A repetition under the same key spends nothing and fails, since its text is not stored. */
export async function callModel({ session }: AnswerModels, call: AnswerCall): Promise<CallUsage> {
  const { provider, key, prompt, signal } = call;
  let [isSent, isSlow] = [false, false];
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
          return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
        } catch (error) {
          isSlow = !signal.aborted && isTimeout(error);
          throw error;
        }
      },
      fallback: () => null,
      isUnspent: (error) => error instanceof ModelUnavailable || describeModelFailure(error).isRefusedForNow,
    },
  );
  signal.throwIfAborted();
  if (usage === null || !isSent) throw new ModelCallError(isSlow ? 'slow' : 'failed');
  return usage;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause));
}

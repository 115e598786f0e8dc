import { setTimeout as sleep } from 'node:timers/promises';

import type { Static, TSchema } from 'typebox';

import type { ModelBreaker } from './model-breaker.ts';
import type {
  ModelAnswer,
  ModelEndpoint,
  ModelRequest,
  ModelTextRequest,
  ModelUsage,
} from './model-endpoint.ts';
import { describeModelFailure } from './model-endpoint.ts';

/** Counts calls over all processes: limits per minute, hour and day. */
export interface ModelBudget {
  readonly take: () => Promise<
    { readonly granted: true } | { readonly granted: false; readonly retryAfterSeconds: number }
  >;
}

/** No call was made and nothing was spent; the caller continues without a model. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
}

export interface ModelCalls {
  /** Throws `ModelUnavailable` where no call is allowed, and the endpoint's error where one failed. */
  readonly call: <Schema extends TSchema>(
    request: ModelRequest<Schema>,
  ) => Promise<ModelAnswer<Static<Schema>>>;
  /** The same for plain text. A refusal comes before any text, so no text is repeated. */
  readonly write: (request: ModelTextRequest) => Promise<ModelUsage>;
}

export interface ModelCallsDeps {
  readonly endpoint: ModelEndpoint;
  readonly breaker: ModelBreaker;
  readonly budget: ModelBudget;
  /** A refusal with a shorter wait than this is awaited; otherwise the breaker opens. */
  readonly waitMaxMs?: number;
}

/** Breaker, then budget, then the call: a refusal costs nothing, and a budget is never exceeded. */
export function createModelCalls({
  endpoint,
  breaker,
  budget,
  waitMaxMs = 15_000,
}: ModelCallsDeps): ModelCalls {
  const attempt = async <Answer>(signal: AbortSignal, send: () => Promise<Answer>): Promise<Answer> => {
    const blocked = breaker.blocked();
    if (blocked !== null)
      throw new ModelUnavailable(
        `no model calls for ${Math.ceil(blocked.forMs / 1000)} s: ${blocked.reason}`,
      );
    const taken = await budget.take();
    if (!taken.granted) {
      breaker.openFor('budget', taken.retryAfterSeconds * 1000);
      throw new ModelUnavailable(
        `the budget for model calls is used up; it renews in ${taken.retryAfterSeconds} s`,
      );
    }
    try {
      const answer = await send();
      breaker.succeeded();
      return answer;
    } catch (error) {
      if (!signal.aborted) breaker.failed();
      throw error;
    }
  };
  const attemptTwice = async <Answer>(signal: AbortSignal, send: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await attempt(signal, send);
    } catch (error) {
      const { isRefusedForNow, retryAfterMs } = describeModelFailure(error);
      if (!isRefusedForNow || retryAfterMs === null) throw error;
      if (retryAfterMs > waitMaxMs) {
        breaker.openFor('refused', retryAfterMs);
        throw error;
      }
      await sleep(retryAfterMs, undefined, { signal });
      return attempt(signal, send);
    }
  };
  return {
    call: (request) => attemptTwice(request.signal, () => endpoint.generate(request)),
    write: (request) => attemptTwice(request.signal, () => endpoint.write(request)),
  };
}

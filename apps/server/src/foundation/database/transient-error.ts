import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { ConcurrentChange } from './concurrent-change.ts';
import { isAnswerTimeout } from './connection-pool.ts';
import { isDatabaseUnreachable } from './database.ts';

/** Why the same work may succeed on a retry. */
export const transientCauses = [
  'connection',
  'timeout',
  'deadlock',
  'serialization',
  'concurrent change',
  'locked',
  'resources',
  'read-only',
] as const;

export type TransientCause = (typeof transientCauses)[number];

const causes: Readonly<Record<string, TransientCause>> = {
  // query_canceled, which is how a statement time-out ends; idle_in_transaction_session_timeout; transaction_timeout
  '57014': 'timeout',
  '25P03': 'timeout',
  '25P04': 'timeout',
  '40P01': 'deadlock',
  '40001': 'serialization',
  // statement_completion_unknown
  '40003': 'serialization',
  '55P03': 'locked',
  // A server that is being replaced by its replica.
  '25006': 'read-only',
};

/**
 * Distinguishes transient errors (a time-out, a deadlock, a lost connection, a full disk) from permanent ones
 * (a violated constraint, a bug). Null: permanent.
 */
export function transientCause(error: unknown): TransientCause | null {
  if (error instanceof ConcurrentChange) return 'concurrent change';
  if (isAnswerTimeout(error)) return 'timeout';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = causes[code];
  if (known !== undefined) return known;
  if (isDatabaseUnreachable(error)) return 'connection';
  // 53: insufficient resources; 58: system error.
  if (/^(?:53|58)/.test(code)) return 'resources';
  if (error instanceof AggregateError)
    return error.errors.map(transientCause).find((one) => one !== null) ?? null;
  return null;
}

const firstDelayMs = 250;
const delayMsMax = 15_000;

export function backoffMs(attempt: number): number {
  const longest = Math.min(delayMsMax, firstDelayMs * 2 ** Math.min(attempt - 1, 10));
  return longest / 2 + randomInt(longest / 2);
}

/** Retries work until it succeeds or fails permanently. Throws the last error once `signal` is aborted. */
export async function retryTransient<Value>(
  work: () => Promise<Value>,
  options: { readonly signal: AbortSignal; readonly onRetry: (cause: TransientCause) => void },
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const cause = transientCause(error);
      if (cause === null || options.signal.aborted) throw error;
      options.onRetry(cause);
      await delay(backoffMs(attempt), undefined, { signal: options.signal }).catch(() => {});
    }
  }
}

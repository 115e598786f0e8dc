/** Why no call is possible now. */
export type BreakerReason = 'budget' | 'refused' | 'failing';

export interface ModelBreaker {
  /** Null while calls are allowed; otherwise the reason and the duration. */
  readonly blocked: () => { readonly reason: BreakerReason; readonly forMs: number } | null;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** No call before then, by order of the server or a budget. */
  readonly openFor: (reason: 'budget' | 'refused', ms: number) => void;
}

export interface BreakerOptions {
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  /** Consecutive failures that open it. */
  readonly failuresMax?: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/**
 * Stops calls that would fail or exceed the budget. After a pause one call is allowed; if it fails too, the pause
 * doubles. Meanwhile rules write all texts, so a pause that is too long costs style, not items.
 */
export function createModelBreaker(options: BreakerOptions): ModelBreaker {
  const { elapsedMs, failuresMax = 5, firstPauseMs = 10_000, longestPauseMs = 600_000 } = options;
  let failures = 0;
  let pauseMs = firstPauseMs;
  let until = -Infinity;
  let reason: BreakerReason = 'failing';
  const open = (why: BreakerReason, ms: number): void => {
    const next = elapsedMs() + Math.min(ms, longestPauseMs);
    if (next > until) [until, reason] = [next, why];
  };
  return {
    blocked: () => {
      const forMs = until - elapsedMs();
      return forMs > 0 ? { reason, forMs } : null;
    },
    succeeded: () => {
      failures = 0;
      pauseMs = firstPauseMs;
    },
    failed: () => {
      failures += 1;
      if (failures < failuresMax) return;
      open('failing', pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      // One more failure after the pause opens it again.
      failures = failuresMax - 1;
    },
    openFor: open,
  };
}

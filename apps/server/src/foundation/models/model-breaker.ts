/** Why no call is made now. */
export type BreakerReason = 'budget' | 'refused' | 'failing';

export interface ModelBreaker {
  /** Null while calls may be made; else why not, and for how long. */
  readonly blocked: () => { readonly reason: BreakerReason; readonly forMs: number } | null;
  readonly succeeded: () => void;
  readonly failed: () => void;
  /** Nothing before then: the server or a budget said so. */
  readonly openFor: (reason: 'budget' | 'refused', ms: number) => void;
}

export interface BreakerOptions {
  /** A clock that never goes back. */
  readonly elapsedMs: () => number;
  /** Failures in a row that open it. */
  readonly failuresMax?: number;
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/**
 * Stops calls that would fail or may not be paid for. After a pause one call is let through; if it fails too, the pause
 * doubles. Everything goes on by rule meanwhile, so a pause that is too long costs style, not items.
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

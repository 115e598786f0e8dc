import { performance } from 'node:perf_hooks';

import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';

/** When every stored set of the suite was loaded. Sets are stored between runs, but the window they fill moves. */
export const loadedAtMs = Date.UTC(2026, 10, 15, 12);

/** A clock that starts at the moment of loading, so that a stored set is in its window in every later run. */
export function clockFromLoading(): Clock {
  const startedAt = performance.now();
  const nowMs = (): number => loadedAtMs + performance.now() - startedAt;
  return { nowMs, now: () => instantFromMs(nowMs()) };
}

import type { EpochMicroseconds } from './instant.ts';
import { epochMicroseconds } from './instant.ts';

export interface Clock {
  /** For what is stored or compared with stored keys. */
  readonly now: () => EpochMicroseconds;
  /** For limits and lifetimes on hot paths, where a bigint would cost more than the rest. */
  readonly nowMs: () => number;
}

export const systemClock: Clock = {
  // oxlint-disable-next-line no-restricted-properties -- the one place where system time enters
  now: () => epochMicroseconds(Temporal.Now.instant().epochNanoseconds / 1000n),
  // oxlint-disable-next-line no-restricted-globals -- as above
  nowMs: () => Date.now(),
};

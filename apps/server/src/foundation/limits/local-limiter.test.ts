import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createLocalLimiter } from './local-limiter.ts';

const limit = { requestsPerMinute: 600, burst: 100 };
const intervalMs = 100;
/** The limiter's own unit of time; in whole ticks it and the rule agree to the last request. */
const tickMs = intervalMs / 64;

/** The reference rule, one bucket per client and no bound: tokens refill evenly up to the burst. */
function createReference(burst: number): {
  admits: (key: string, nowMs: number) => boolean;
  spend: (key: string, nowMs: number) => void;
} {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const tokensAt = (key: string, nowMs: number): number => {
    const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    return Math.min(burst, tokens + (nowMs - atMs) / intervalMs);
  };
  return {
    admits: (key, nowMs) => tokensAt(key, nowMs) >= 1 - 1e-9,
    spend: (key, nowMs) => void buckets.set(key, { tokens: tokensAt(key, nowMs) - 1, atMs: nowMs }),
  };
}

const requests = (keys: number) =>
  fc.array(fc.tuple(fc.integer({ min: 0, max: 160 }), fc.integer({ min: 0, max: keys - 1 })), {
    maxLength: 400,
    size: 'max',
  });

/** Idle, shortly before the tick counter restarts, and after more time than it can count. */
const starts = fc.constantFrom(0, 2 ** 30 - 200, 2 ** 40);

describe('a local limiter', () => {
  test('admits a burst at once, then one for each interval', () => {
    const limiter = createLocalLimiter(limit);
    const admittedAt = (nowMs: number): number => {
      let admitted = 0;
      while (limiter.take('192.0.2.1', nowMs) === 0) admitted += 1;
      return admitted;
    };
    expect(admittedAt(0)).toBe(100);
    expect(admittedAt(99)).toBe(0);
    expect(admittedAt(100)).toBe(1);
    expect(admittedAt(1_100)).toBe(10);
    expect(admittedAt(3_600_000)).toBe(100);
  });

  test('reports the remaining requests and the reset time exactly as it then admits', () => {
    const limiter = createLocalLimiter(limit);
    const key = '192.0.2.1';
    expect(limiter.stateOf(key, 0)).toEqual({ remaining: 100, resetSeconds: 0 });
    for (const nowMs of [0, 250, 1_000, 4_321]) {
      const { remaining, resetSeconds } = limiter.stateOf(key, nowMs);
      let admitted = 0;
      while (admitted < 40 && limiter.take(key, nowMs) === 0) admitted += 1;
      expect(Math.min(40, remaining)).toBe(admitted);
      expect(resetSeconds).toBeLessThanOrEqual(10);
      expect(limiter.stateOf(key, nowMs + 10_000)).toEqual({ remaining: 100, resetSeconds: 0 });
    }
  });

  test('admits exactly what a bucket per client admits', () => {
    fc.assert(
      fc.property(requests(5), fc.integer({ min: 1, max: 6 }), starts, (steps, burst, startTicks) => {
        const limiter = createLocalLimiter({ ...limit, burst });
        const reference = createReference(burst);
        let nowMs = startTicks * tickMs;
        for (const [pauseTicks, client] of steps) {
          nowMs += pauseTicks * tickMs;
          const key = `2001:db8:0:${client}::/64`;
          const admits = reference.admits(key, nowMs);
          expect(limiter.take(key, nowMs) === 0).toBe(admits);
          if (admits) reference.spend(key, nowMs);
        }
      }),
    );
  });

  test('with more clients in debt than it has room for, still admits no client more than its own bucket would', () => {
    fc.assert(
      fc.property(requests(200), fc.integer({ min: 1, max: 6 }), (steps, burst) => {
        const limiter = createLocalLimiter({ ...limit, burst, clientsMax: 16 });
        const reference = createReference(burst);
        let nowMs = 0;
        for (const [pauseTicks, client] of steps) {
          nowMs += Math.floor(pauseTicks / 80) * tickMs;
          const key = `192.0.2.${client}`;
          if (limiter.take(key, nowMs) !== 0) continue;
          expect(reference.admits(key, nowMs)).toBe(true);
          reference.spend(key, nowMs);
        }
      }),
    );
  });

  test('admits a client after the returned wait, which is at least a second', () => {
    const limiter = createLocalLimiter({ requestsPerMinute: 7, burst: 3 });
    let nowMs = 0;
    for (let round = 0; round < 50; round += 1) {
      let waitSeconds = 0;
      while (waitSeconds === 0) waitSeconds = limiter.take('192.0.2.1', nowMs);
      expect(waitSeconds).toBeGreaterThanOrEqual(1);
      expect(waitSeconds).toBeLessThanOrEqual(9);
      nowMs += waitSeconds * 1_000;
      expect(limiter.take('192.0.2.1', nowMs)).toBe(0);
    }
  });

  test('a flood of two million addresses at 50,000 a second neither admits an exhausted client nor refuses a new one', () => {
    const limiter = createLocalLimiter(limit);
    let nowMs = 0;
    while (limiter.take('spent', nowMs) === 0);
    let admittedOfSpent = 0;
    let refusedOfOthers = 0;
    for (let address = 0; address < 2_000_000; address += 1) {
      nowMs = address / 50;
      if (limiter.take(address.toString(16), nowMs) !== 0) refusedOfOthers += 1;
      if (limiter.take('spent', nowMs) === 0) admittedOfSpent += 1;
    }
    expect(refusedOfOthers).toBe(0);
    expect(admittedOfSpent).toBe(Math.floor(nowMs / intervalMs));
  });

  test('refuses a limit that admits nothing', () => {
    expect(() => createLocalLimiter({ requestsPerMinute: 0, burst: 1 })).toThrow(RangeError);
    expect(() => createLocalLimiter({ requestsPerMinute: 1, burst: 0 })).toThrow(RangeError);
  });
});

import { describe, expect, test } from 'vitest';

import { dayMs, hourMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, epochMicroseconds } from '../../foundation/instant.ts';
import { backoffMs, defaultPace, nextIntervalMs, statedIntervalMs, usualGapMs } from './next-poll.ts';
import type { PollHistory, PollResult } from './settle-poll.ts';
import { settlePoll } from './settle-poll.ts';

const start = epochMicroseconds(1_790_000_000_000_000n);
const fresh: PollHistory = {
  state: 'active',
  stateReason: null,
  intervalMs: null,
  usualGapMs: null,
  failures: 0,
  failingSince: null,
  goneCount: 0,
  goneSince: null,
  missingSince: null,
  movedTo: null,
  movedCount: 0,
  movedSince: null,
};
const failed = (why: 'gone' | 'missing' | 'rate limited' | 'other', retryAfterMs: number | null = null) =>
  ({ kind: 'failed', why, detail: why, retryAfterMs }) as const;
const unchanged = (permanentUrl: string | null = null): PollResult => ({
  kind: 'unchanged',
  statedMs: 0,
  hasNews: false,
  usualGapMs: null,
  permanentUrl,
});

/** Polls whenever due, with the same answer, until a time or an end. */
function repeat(result: PollResult, forMs: number, from = fresh) {
  let history = from;
  let now: EpochMicroseconds = start;
  const waits: number[] = [];
  let adoptUrl: string | null = null;
  while (now < addMs(start, forMs) && history.state === 'active' && adoptUrl === null) {
    const settled = settlePoll(history, result, { now, pace: defaultPace, random: () => 0 });
    ({ history, adoptUrl } = settled);
    waits.push(Number(settled.dueAt - now) / 1000);
    now = settled.dueAt;
  }
  return { history, waits, adoptUrl, lastedMs: Number(now - start) / 1000 - (waits.at(-1) ?? 0) };
}

test('410 three times over three days stops a source', () => {
  const { history, waits, lastedMs } = repeat(failed('gone'), 30 * dayMs);
  expect(history.state).toBe('stopped');
  expect(waits).toHaveLength(3);
  expect(lastedMs).toBeGreaterThanOrEqual(3 * dayMs);
});

test('404 for 14 days suspends a source, but not earlier', () => {
  expect(repeat(failed('missing'), 13.5 * dayMs).history.state).toBe('active');
  const { history, lastedMs } = repeat(failed('missing'), 30 * dayMs);
  expect(history.state).toBe('suspended');
  expect(lastedMs).toBeGreaterThanOrEqual(14 * dayMs);
});

test('one successful poll resets the counts of 410 and 404', () => {
  const { history } = repeat(failed('gone'), dayMs);
  const settled = settlePoll(history, unchanged(), { now: start, pace: defaultPace, random: () => 0 });
  expect(settled.history).toMatchObject({ goneCount: 0, goneSince: null, failures: 0, state: 'active' });
});

describe('a permanent redirect', () => {
  const to = 'https://new.example/feed';
  test('is adopted after ten sightings over three days', () => {
    const { waits, adoptUrl, lastedMs } = repeat(unchanged(to), 30 * dayMs);
    expect(adoptUrl).toBe(to);
    expect(waits.length).toBeGreaterThanOrEqual(10);
    expect(lastedMs).toBeGreaterThanOrEqual(3 * dayMs);
  });

  test('is counted again from one when its target changes', () => {
    const { history } = repeat(unchanged(to), dayMs);
    const settled = settlePoll(history, unchanged(`${to}2`), {
      now: start,
      pace: defaultPace,
      random: () => 0,
    });
    expect(settled.history).toMatchObject({ movedTo: `${to}2`, movedCount: 1 });
  });
});

test('failures double the wait up to a day, and a success resets it', () => {
  const { waits, history } = repeat(failed('other'), 5 * dayMs);
  expect(waits.slice(0, 3)).toEqual([20, 40, 80].map((minutes) => minutes * 60_000));
  expect(Math.max(...waits)).toBe(dayMs);
  const settled = settlePoll(history, unchanged(), { now: start, pace: defaultPace, random: () => 0 });
  expect(settled.history.failures).toBe(0);
  expect(Number(settled.dueAt - start) / 1000).toBeLessThanOrEqual(6 * hourMs);
});

test('a source is not polled before Retry-After', () => {
  const [wait = 0] = repeat(failed('rate limited', 5 * hourMs), 1).waits;
  expect(wait).toBe(5 * hourMs);
  expect(backoffMs(600_000, 1, 3 * dayMs)).toBe(3 * dayMs);
});

test('a rate limit waits for the usual interval with Retry-After, else at least 15 minutes, and doubles', () => {
  expect(repeat(failed('rate limited', 5_000), hourMs).waits.slice(0, 3)).toEqual([
    600_000, 1_200_000, 2_400_000,
  ]);
  expect(repeat(failed('rate limited'), hourMs).waits.slice(0, 2)).toEqual([900_000, 1_800_000]);
});

test.each([
  ['half the usual gap', { usualGapMs: 4 * hourMs, statedMs: 0 }, 2 * hourMs],
  ['at least ten minutes', { usualGapMs: 60_000, statedMs: 0 }, 600_000],
  ['at most six hours', { usualGapMs: 30 * dayMs, statedMs: 0 }, 6 * hourMs],
  ['never below the stated interval', { usualGapMs: hourMs, statedMs: 12 * hourMs }, 12 * hourMs],
])('the interval is %s', (_, input, expected) => {
  expect(nextIntervalMs({ ...input, lastIntervalMs: null, hasNews: true }, defaultPace)).toBe(expected);
});

test('the stated interval is the longest of max-age, ttl and sy:updatePeriod', () => {
  const pace = { ttlSeconds: 3_600, updatePeriodSeconds: 7_200, skipHours: [], skipDays: [] };
  expect(statedIntervalMs(60_000, pace)).toBe(7_200_000);
  expect(statedIntervalMs(9_000_000, pace)).toBe(9_000_000);
  expect(statedIntervalMs(null, null)).toBe(0);
});

test('jitter makes an interval longer, never shorter', () => {
  const due = (random: number) =>
    settlePoll(fresh, unchanged(), { now: start, pace: defaultPace, random: () => random }).dueAt;
  expect(due(1)).toBeGreaterThan(due(0));
  expect(Number(due(0) - start) / 1000).toBeGreaterThanOrEqual(defaultPace.intervalMinMs);
});

test('the usual gap grows while no entry comes', () => {
  const dates = [0, 1, 2, 3, 4].map((days) => days * dayMs);
  expect(usualGapMs(dates, 4 * dayMs)).toBeLessThan(dayMs);
  expect(usualGapMs(dates, 40 * dayMs)).toBe(8 * dayMs);
  expect(usualGapMs([null, 1, 2], 10)).toBeNull();
});

describe('a source whose hub announces every entry', () => {
  const waitMs = (usualMs: number, pushesForMs: number): number => {
    const pushes = { kind: 'announced', until: addMs(start, pushesForMs) } as const;
    const result = { ...unchanged(), usualGapMs: 2 * usualMs } as const;
    const settled = settlePoll(fresh, result, { now: start, pace: defaultPace, random: () => 0, pushes });
    // Failures and later polls still start from the interval without pushes.
    expect(settled.history.intervalMs).toBe(usualMs);
    return Number(settled.dueAt - start) / 1000;
  };

  test('is polled a quarter as often, at least every six hours, until the lease ends', () => {
    expect(waitMs(hourMs, 10 * dayMs)).toBe(4 * hourMs);
    expect(waitMs(3 * hourMs, 10 * dayMs)).toBe(6 * hourMs);
    expect(waitMs(hourMs, 2 * hourMs)).toBe(2 * hourMs);
    expect(waitMs(hourMs, 1_000)).toBe(hourMs);
  });

  test('is polled again within a minute if a push arrived during the poll', () => {
    const pushes = { kind: 'ask soon' } as const;
    const settled = settlePoll(fresh, unchanged(), {
      now: start,
      pace: defaultPace,
      random: () => 0,
      pushes,
    });
    expect(Number(settled.dueAt - start) / 1000).toBe(60_000);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import type { HeatCandidate, HeatItem } from './heat.ts';
import { rankTopics } from './heat.ts';

const at = epochMicroseconds(1_800_000_000_000_000n);
const hoursAgo = (hours: number): EpochMicroseconds =>
  epochMicroseconds(at - BigInt(Math.round(hours * 3_600_000_000)));
const item = (owner: string, more: Partial<HeatItem> = {}): HeatItem => ({
  itemId: `item of ${owner}` as Id<'item'>,
  owner,
  sourceName: owner,
  firstParty: false,
  weight: 1,
  reportedAt: at,
  ...more,
});
const topic = (id: string, ...items: HeatItem[]): HeatCandidate => ({
  itemId: id as Id<'item'>,
  items,
});
const orderOf = (...candidates: HeatCandidate[]): readonly string[] =>
  rankTopics(candidates, at).map(({ itemId }) => itemId);

describe('heat', () => {
  test('halves every 24 hours and sums over owners, each counted once with its hottest item', () => {
    const [ranked] = rankTopics(
      [
        topic(
          'a',
          item('one', { weight: 3 }),
          item('two', { weight: 4, reportedAt: hoursAgo(24) }),
          item('two', { weight: 2, reportedAt: hoursAgo(12) }),
        ),
      ],
      at,
    );
    expect(ranked?.heat).toBe(5);
  });
  test('is zero for reprints, items older than 48 hours and items from the future', () => {
    const cold = [
      item('two', { weight: 0 }),
      item('three', { reportedAt: hoursAgo(48.0001) }),
      item('four', { reportedAt: hoursAgo(-1) }),
    ];
    expect(orderOf(topic('a', item('one'), ...cold))).toEqual([]);
    const [ranked] = rankTopics([topic('a', item('one'), item('five'), ...cold)], at);
    expect(ranked).toMatchObject({ heat: 2, items: [{ owner: 'one' }, { owner: 'five' }] });
    expect(orderOf(topic('a', item('one'), item('two', { reportedAt: hoursAgo(48) })))).toEqual(['a']);
  });
  test('does not make a topic of one owner, however many items it publishes', () => {
    expect(orderOf(topic('a', item('one'), item('one'), item('one')))).toEqual([]);
  });
});

test('breaks ties by more owners, then first-party, then the latest item, then the lower id', () => {
  const two = (more: Partial<HeatItem> = {}): HeatItem[] => [item('one', more), item('two', more)];
  const half = { weight: 0.5 };
  const four = [item('one', half), item('two', half), item('three', half), item('four', half)];
  expect(orderOf(topic('a', ...two()), topic('b', ...four))).toEqual(['b', 'a']);
  expect(orderOf(topic('a', ...two()), topic('b', item('one'), item('two', { firstParty: true })))).toEqual([
    'b',
    'a',
  ]);
  const older = { weight: 2, reportedAt: hoursAgo(24) };
  expect(orderOf(topic('a', ...two(older)), topic('b', ...two()))).toEqual(['b', 'a']);
  expect(orderOf(topic('b', ...two()), topic('a', ...two()))).toEqual(['a', 'b']);
});

test('ranks at most ten, hottest first, the same for any order of candidates and items and from evidence', () => {
  const drawn = fc.record({
    owner: fc.constantFrom('one', 'two', 'three', 'four'),
    weight: fc.constantFrom(0, 0.1, 0.2, 0.3, 1),
    hours: fc.double({ min: 0, max: 60, noNaN: true }),
    firstParty: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(drawn, { maxLength: 8 }), { maxLength: 25 }), (topics) => {
      const candidates = topics.map((items, number) =>
        topic(
          `topic ${String(number).padStart(2, '0')}`,
          ...items.map(({ hours, ...rest }, index) =>
            item(rest.owner, { ...rest, itemId: `${index}` as Id<'item'>, reportedAt: hoursAgo(hours) }),
          ),
        ),
      );
      const ranked = rankTopics(candidates, at);
      const shuffled = candidates
        .toReversed()
        .map((candidate) => ({ ...candidate, items: candidate.items.toReversed() }));
      const summary = (of: ReturnType<typeof rankTopics>) =>
        of.map(({ rank, itemId, heat }) => [rank, itemId, heat]);
      expect(summary(rankTopics(shuffled, at))).toEqual(summary(ranked));
      expect(summary(rankTopics(ranked, at))).toEqual(summary(ranked));
      expect(ranked.length).toBeLessThanOrEqual(10);
      expect(ranked.map(({ heat }) => heat)).toEqual(
        ranked.map(({ heat }) => heat).toSorted((a, b) => b - a),
      );
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import type { HeatCandidate, HeatReport } from './heat.ts';
import { rankTopics } from './heat.ts';

const at = epochMicroseconds(1_800_000_000_000_000n);
const hoursAgo = (hours: number): EpochMicroseconds =>
  epochMicroseconds(at - BigInt(Math.round(hours * 3_600_000_000)));
const report = (owner: string, more: Partial<HeatReport> = {}): HeatReport => ({
  itemId: `item of ${owner}` as Id<'item'>,
  owner,
  sourceName: owner,
  firstParty: false,
  weight: 1,
  reportedAt: at,
  ...more,
});
const topic = (id: string, ...reports: HeatReport[]): HeatCandidate => ({
  itemId: id as Id<'item'>,
  reports,
});
const orderOf = (...candidates: HeatCandidate[]): readonly string[] =>
  rankTopics(candidates, at).map(({ itemId }) => itemId);

describe('heat', () => {
  test('halves every 24 hours and adds up over owners, each counted once with its hottest report', () => {
    const [ranked] = rankTopics(
      [
        topic(
          'a',
          report('one', { weight: 3 }),
          report('two', { weight: 4, reportedAt: hoursAgo(24) }),
          report('two', { weight: 2, reportedAt: hoursAgo(12) }),
        ),
      ],
      at,
    );
    expect(ranked?.heat).toBe(5);
  });
  test('reprints, reports older than 48 hours and reports from the future weigh nothing', () => {
    const cold = [
      report('two', { weight: 0 }),
      report('three', { reportedAt: hoursAgo(48.0001) }),
      report('four', { reportedAt: hoursAgo(-1) }),
    ];
    expect(orderOf(topic('a', report('one'), ...cold))).toEqual([]);
    const [ranked] = rankTopics([topic('a', report('one'), report('five'), ...cold)], at);
    expect(ranked).toMatchObject({ heat: 2, reports: [{ owner: 'one' }, { owner: 'five' }] });
    expect(orderOf(topic('a', report('one'), report('two', { reportedAt: hoursAgo(48) })))).toEqual(['a']);
  });
  test('one owner is not a topic, however often it reports', () => {
    expect(orderOf(topic('a', report('one'), report('one'), report('one')))).toEqual([]);
  });
});

test('ties go to more owners, then first-party, then the latest report, then the lower id', () => {
  const two = (more: Partial<HeatReport> = {}): HeatReport[] => [report('one', more), report('two', more)];
  const half = { weight: 0.5 };
  const four = [report('one', half), report('two', half), report('three', half), report('four', half)];
  expect(orderOf(topic('a', ...two()), topic('b', ...four))).toEqual(['b', 'a']);
  expect(
    orderOf(topic('a', ...two()), topic('b', report('one'), report('two', { firstParty: true }))),
  ).toEqual(['b', 'a']);
  const older = { weight: 2, reportedAt: hoursAgo(24) };
  expect(orderOf(topic('a', ...two(older)), topic('b', ...two()))).toEqual(['b', 'a']);
  expect(orderOf(topic('b', ...two()), topic('a', ...two()))).toEqual(['a', 'b']);
});

test('at most ten, hottest first, the same for any order of candidates and reports, and again from their evidence', () => {
  const drawn = fc.record({
    owner: fc.constantFrom('one', 'two', 'three', 'four'),
    weight: fc.constantFrom(0, 0.1, 0.2, 0.3, 1),
    hours: fc.double({ min: 0, max: 60, noNaN: true }),
    firstParty: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(drawn, { maxLength: 8 }), { maxLength: 25 }), (topics) => {
      const candidates = topics.map((reports, number) =>
        topic(
          `topic ${String(number).padStart(2, '0')}`,
          ...reports.map(({ hours, ...rest }, index) =>
            report(rest.owner, { ...rest, itemId: `${index}` as Id<'item'>, reportedAt: hoursAgo(hours) }),
          ),
        ),
      );
      const ranked = rankTopics(candidates, at);
      const shuffled = candidates
        .toReversed()
        .map((candidate) => ({ ...candidate, reports: candidate.reports.toReversed() }));
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

import { describe, expect, test } from 'vitest';

import { createWorld } from './index.ts';

const startsAt = Date.UTC(2026, 8, 1);
const world = createWorld({ seed: 21, startsAt, days: 25, itemsPerDay: 200 });
const reports = [...world.reports()];
const byStory = Map.groupBy(
  reports.filter(({ storyKey }) => storyKey !== null),
  ({ storyKey }) => storyKey,
);
const truths = [...world.stories()];

describe('the truth about stories', () => {
  test('covers exactly the stories of the stream, with their reports in order', () => {
    expect(new Set(truths.map(({ key }) => key))).toEqual(new Set(byStory.keys()));
    for (const { key, reportKeys, firstReportAt, latestAt } of truths) {
      const told = byStory.get(key)!;
      expect(reportKeys).toEqual(told.map((report) => report.key));
      expect([firstReportAt, latestAt]).toEqual([told[0]!.discoveredAt, told.at(-1)!.discoveredAt]);
    }
  });

  test('can be asked for one story by its key, and knows no other', () => {
    for (const truth of truths.slice(0, 50)) expect(world.storyTruth(truth.key)).toEqual(truth);
    for (const key of ['', 'story', 'story-zzzz-0-0', 'story-0-zzz-0', 'story-0-0-9', truths[0]!.key + 'x']) {
      expect(world.storyTruth(key)).toBeUndefined();
    }
  });

  test('rests every digest sentence on reports of the story, and cites each report once', () => {
    for (const { digest, reportKeys } of truths) {
      expect(digest.every(({ text }) => text.length > 20)).toBe(true);
      expect(digest.flatMap(({ cites }) => cites).toSorted()).toEqual(reportKeys.toSorted());
    }
  });

  test('states each contradiction with an earlier and a later side', () => {
    const disputed = truths.filter(({ contradictions }) => contradictions.length > 0);
    expect(disputed.length).toBeGreaterThan(20);
    for (const { key, contradictions } of disputed) {
      for (const { earlier, later } of contradictions) {
        const value = (reportKey: string): number =>
          byStory.get(key)!.find((report) => report.key === reportKey)!.facts.figures[0]!.value;
        expect(new Set(earlier.map(value)).isDisjointFrom(new Set(later.map(value)))).toBe(true);
      }
    }
    const contradicted = new Set(
      reports.flatMap(({ contradicts, storyKey }) => (contradicts ? [storyKey] : [])),
    );
    expect(new Set(disputed.map(({ key }) => key))).toEqual(contradicted);
  });

  test('links the stories of a storyline both ways', () => {
    const byKey = new Map(truths.map((truth) => [truth.key, truth]));
    const opposite = { predecessor: 'successor', successor: 'predecessor', related: 'related' } as const;
    let links = 0;
    for (const { key, storylineKey, neighbours } of truths) {
      for (const { storyKey, relation, title } of neighbours) {
        const other = byKey.get(storyKey)!;
        links += 1;
        expect(other.title).toBe(title);
        expect(other.neighbours).toContainEqual(
          expect.objectContaining({ storyKey: key, relation: opposite[relation] }),
        );
        expect(relation === 'related' || other.storylineKey === storylineKey).toBe(true);
      }
    }
    expect(links).toBeGreaterThan(50);
  });

  test('as of a moment knows only what had been found by then', () => {
    const asOf = startsAt + 9 * 86_400_000;
    const found = new Set(
      reports.filter(({ discoveredAt }) => Date.parse(discoveredAt) < asOf).map(({ key }) => key),
    );
    const then = [...world.stories({ asOf, language: 'zh' })];
    const known = new Set(then.flatMap(({ reportKeys }) => reportKeys));
    expect(known.isSubsetOf(found)).toBe(true);
    expect(known.size).toBe(
      reports.filter(({ key, storyKey }) => storyKey !== null && found.has(key)).length,
    );
    expect(then.every(({ title }) => /\p{Script=Han}/u.test(title))).toBe(true);
  });
});

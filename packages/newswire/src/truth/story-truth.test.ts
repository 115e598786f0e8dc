import { describe, expect, test } from 'vitest';

import { createWorld } from '../index.ts';

const startsAt = Date.UTC(2026, 8, 1);
const world = createWorld({ seed: 21, startsAt, days: 25, itemsPerDay: 200 });
const dispatches = [...world.dispatches()];
/** What is still online in the end, by the story it belongs to in the end. */
const byStory = Map.groupBy(
  dispatches.filter(({ storyKey, withdrawnAt }) => storyKey !== null && withdrawnAt === null),
  ({ storyKey, mergesInto }) => mergesInto ?? storyKey,
);
const allTruths = [...world.stories()];
const truths = allTruths.filter(({ mergedInto }) => mergedInto === null);

describe('the truth about stories', () => {
  test('covers exactly the stories of the stream, with their dispatches in order', () => {
    expect(new Set(truths.map(({ key }) => key))).toEqual(new Set(byStory.keys()));
    for (const { key, dispatchKeys, firstDispatchAt, latestAt } of truths) {
      const dispatches = byStory.get(key)!;
      expect(dispatchKeys).toEqual(dispatches.map((dispatch) => dispatch.key));
      expect([firstDispatchAt, latestAt]).toEqual([
        dispatches[0]!.discoveredAt,
        dispatches.at(-1)!.discoveredAt,
      ]);
    }
  });

  test('returns one story by its key, and no unknown one', () => {
    for (const truth of truths.slice(0, 50)) expect(world.storyTruth(truth.key)).toEqual(truth);
    for (const key of ['', 'story', 'story-zzzz-0-0', 'story-0-zzz-0', 'story-0-0-9', truths[0]!.key + 'x']) {
      expect(world.storyTruth(key)).toBeUndefined();
    }
  });

  test('cites dispatches of the story in every digest sentence, and each dispatch once', () => {
    for (const { digest, dispatchKeys } of truths) {
      expect(digest.every(({ text }) => text.length > 20)).toBe(true);
      expect(digest.flatMap(({ cites }) => cites).toSorted()).toEqual(dispatchKeys.toSorted());
    }
  });

  test('states each contradiction with an earlier and a later side', () => {
    const disputed = truths.filter(({ contradictions }) => contradictions.length > 0);
    expect(disputed.length).toBeGreaterThan(20);
    for (const { key, contradictions } of disputed) {
      for (const { earlier, later } of contradictions) {
        const value = (dispatchKey: string): number =>
          byStory.get(key)!.find((dispatch) => dispatch.key === dispatchKey)!.facts.figures[0]!.value;
        expect(new Set(earlier.map(value)).isDisjointFrom(new Set(later.map(value)))).toBe(true);
      }
    }
    const standing = new Map([...byStory.values()].flat().map((dispatch) => [dispatch.key, dispatch]));
    const contradicted = [...standing.values()].flatMap(({ contradicts, storyKey }) =>
      contradicts !== undefined && standing.has(contradicts) ? [storyKey] : [],
    );
    expect(new Set(disputed.map(({ key }) => key)).isSupersetOf(new Set(contradicted))).toBe(true);
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

  test('contains only dispatches found before the given moment', () => {
    const asOf = startsAt + 9 * 86_400_000;
    const found = new Set(
      dispatches.filter(({ discoveredAt }) => Date.parse(discoveredAt) < asOf).map(({ key }) => key),
    );
    const then = [...world.stories({ asOf, language: 'zh' })];
    const known = new Set(then.flatMap(({ dispatchKeys }) => dispatchKeys));
    expect(known.isSubsetOf(found)).toBe(true);
    const standing = dispatches.filter(
      ({ key, storyKey, withdrawnAt }) =>
        storyKey !== null && found.has(key) && !(withdrawnAt !== null && Date.parse(withdrawnAt) <= asOf),
    );
    expect(known).toEqual(new Set(standing.map(({ key }) => key)));
    expect(then.every(({ title }) => /\p{Script=Han}/u.test(title))).toBe(true);
  });
});

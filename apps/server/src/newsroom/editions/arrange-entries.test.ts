import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { epochMicroseconds } from '../../foundation/instant.ts';
import { arrangeEntries } from './arrange-entries.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { editionSizes } from './choose-entries.ts';
import type { EditionOperation, SavedOperation } from './edition-operation.ts';
import { eventOf } from './edition-operation.ts';

function candidate(number: number, given: Partial<EditionCandidate> = {}): EditionCandidate {
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}` as EditionCandidate['id'],
    storyId: `story ${number}` as EditionCandidate['storyId'],
    groupId: `group ${number}` as EditionCandidate['groupId'],
    groupAppearedAt: epochMicroseconds(BigInt(number)),
    sourceId: `source ${number}` as EditionCandidate['sourceId'],
    title: `Halden Labs opens office ${number}`,
    summary: '',
    language: 'en',
    category: 'industry',
    // The first is the most important one.
    score: 100 - number,
    owners: 1,
    discoveredAt: epochMicroseconds(BigInt(number)),
    selected: true,
    barred: null,
    ...given,
  };
}

const saved = (...operations: readonly EditionOperation[]): readonly SavedOperation[] =>
  operations.map((operation, at) => ({ id: String(at + 1), operation, words: {}, itemIds: [] }));
const on = (op: 'drop' | 'add' | 'pin', item: EditionCandidate): EditionOperation => ({
  op,
  itemId: item.id,
  event: eventOf(item),
});
const move = (item: EditionCandidate, before: EditionCandidate | null): EditionOperation => ({
  op: 'move',
  itemId: item.id,
  event: eventOf(item),
  before: before === null ? null : { itemId: before.id, event: eventOf(before) },
});

const all = Array.from({ length: 30 }, (_, at) => candidate(at));
const [first, second, third] = all as [EditionCandidate, EditionCandidate, EditionCandidate];
const pool = { candidates: all, unreported: all };
const arrange = (operations: readonly SavedOperation[], from: typeof pool = pool) =>
  arrangeEntries(from, editionSizes.daily, operations);
const numbersOf = (items: readonly EditionCandidate[]) => items.map(({ id }) => Number(id.slice(-12)));

describe('operations of editors', () => {
  test('drop a story: the next one takes its place, also if another item reports the story at the hour', () => {
    const { entries, flashes } = arrange(saved(on('drop', first)));
    expect(numbersOf(entries)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(flashes).toHaveLength(10);
    const better = candidate(40, { storyId: first.storyId, score: 99 });
    const later = [better, ...all.slice(1)];
    const again = arrange(saved(on('drop', first)), { candidates: later, unreported: later });
    expect(numbersOf(again.entries)).not.toContain(40);
    expect(again.unapplied).toEqual([]);
  });

  test('pin an entry before all others, and add one that the rules did not choose', () => {
    const added = candidate(50, { selected: false, barred: 'roundup', score: 1 });
    const candidates = [...all, added];
    const operations = saved(on('pin', third), on('add', added));
    const { entries, flashes } = arrange(operations, { candidates, unreported: all });
    expect(numbersOf(entries)).toEqual([2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 50]);
    expect(numbersOf(flashes)[0]).toBe(11);
  });

  test('move an entry before another one or to the end, and a flash to the entries', () => {
    const flash = all[12] as EditionCandidate;
    const moved = arrange(saved(move(third, first), move(first, null), move(flash, second)));
    expect(numbersOf(moved.entries)).toEqual([2, 12, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(numbersOf(moved.flashes).at(-1)).toBe(0);
  });

  test('replace each other on the same story, the last one applies', () => {
    expect(numbersOf(arrange(saved(on('pin', third), on('drop', third))).entries)).not.toContain(2);
    expect(numbersOf(arrange(saved(on('drop', third), on('pin', third))).entries)[0]).toBe(2);
  });

  test('that name no candidate fall back to the rule, and are returned', () => {
    const operations = saved(on('pin', first), on('drop', second), move(third, first));
    const rest = all.slice(3);
    const { entries, unapplied } = arrange(operations, { candidates: rest, unreported: rest });
    expect(numbersOf(entries)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(unapplied.map(({ operation, cause }) => [operation.id, cause])).toEqual([
      ['1', 'item_not_available'],
      ['2', 'item_not_available'],
      ['3', 'not_in_edition'],
    ]);
  });

  test('that drop everything fall back to the rule: the edition is not empty', () => {
    const { entries, unapplied } = arrange(saved(...all.map((item) => on('drop', item))));
    expect(numbersOf(entries)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(unapplied).toHaveLength(all.length);
    expect(new Set(unapplied.map(({ cause }) => cause))).toEqual(new Set(['empty_edition']));
  });

  test('never repeat a story, and never exceed the size of the edition', () => {
    const item = fc.integer({ min: 0, max: 29 }).map((at) => all[at] as EditionCandidate);
    const operation = fc.oneof(
      fc
        .tuple(fc.constantFrom('drop' as const, 'add' as const, 'pin' as const), item)
        .map(([op, one]) => on(op, one)),
      fc.tuple(item, fc.option(item)).map(([one, before]) => move(one, before)),
    );
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 60 }),
        fc.constantFrom('daily' as const, 'weekly' as const),
        (operations, kind) => {
          const size = editionSizes[kind];
          const { entries, flashes } = arrangeEntries(pool, size, saved(...operations));
          const shown = [...entries, ...flashes].map(eventOf);
          expect(new Set(shown).size).toBe(shown.length);
          expect(entries.length).toBeLessThanOrEqual(size.entries);
          expect(flashes.length).toBeLessThanOrEqual(size.flashes);
        },
      ),
    );
  });
});

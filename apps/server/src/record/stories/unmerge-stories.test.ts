import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { createRecordReader } from '../reader.ts';

const clock = createTestClock('2026-11-12T12:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

/** Between two decisions. */
function now(): EpochMicroseconds {
  const instant = clock.now();
  clock.advance({ minutes: 1 });
  return instant;
}

test('an item withdrawn after a merge is counted in the story that it was in, also after the merge is undone', async () => {
  const record = createRecordFactory({ database: store.database, clock });
  const reader = createRecordReader({ ...store, searchDatabase: store.database });
  const { publisher } = record;
  const [one, two] = [
    await record.publish({ sourceName: 'Merged source' }),
    await record.publish({ sourceName: 'Surviving source' }),
  ];
  const absorbedId = valueOf(await publisher.openStory({ title: 'Absorbed', itemIds: [one] })).storyId;
  const survivorId = valueOf(await publisher.openStory({ title: 'Survivor', itemIds: [two] })).storyId;
  const apart = now();
  const reason = 'Both are about one event.';
  const merged = valueOf(await publisher.mergeStories({ absorbedId, survivorId, reason }));
  if (merged.before === null) throw new Error('a merge with a reason can be undone');
  const together = now();
  valueOf(await publisher.withdrawItem({ itemId: one }));
  const { before, movedItemIds: itemIds } = merged;
  valueOf(await publisher.unmergeStories({ absorbedId, survivorId, itemIds, before, reason }));
  expect(await reader.at(together).story(survivorId)).toMatchObject({ story: { sourceCount: 2 } });
  expect(await reader.at(together).removals({ kind: 'story', id: survivorId })).toMatchObject([
    { kind: 'item', id: one, because: 'withdrawn' },
  ]);
  expect(await reader.at(apart).story(survivorId)).toMatchObject({ story: { sourceCount: 1 } });
});

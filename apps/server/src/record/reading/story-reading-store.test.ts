import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import { createRecordReader } from '../reader.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('the digest in the other language keeps its language if the title of the story is erased', async () => {
  const clock = createTestClock('2026-11-15T08:00:00.000Z');
  const record = createRecordFactory({ database: store.database, clock });
  const reader = createRecordReader({ ...store, searchDatabase: store.database });
  const { publisher } = record;
  const english = await record.publish({ title: 'An English report', language: 'en' });
  const chinese = await record.publish({ title: '写错的标题', language: 'zh' });
  const opened = await publisher.openStory({ title: '写错的标题', itemIds: [chinese, english] });
  const { storyId } = valueOf(opened);
  const text = 'What the English report says.';
  const otherDigest = { text, sentences: [{ text, cites: [english] }], contradictions: [] };
  valueOf(await publisher.reviseStory({ storyId, changes: { otherDigest } }));
  const before = clock.now();
  clock.advance({ minutes: 1 });
  valueOf(
    await publisher.correctItem({ itemId: chinese, changes: { title: '正确的标题' }, reason: 'A typo.' }),
  );
  expect(await reader.at(before).story(storyId)).toMatchObject({
    story: {
      versions: [
        { language: 'en', digest: { text } },
        { language: 'zh', title: '正确的标题', digest: null },
      ],
    },
  });
});

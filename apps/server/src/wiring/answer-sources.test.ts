import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../test/clock.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory } from '../../test/factories/record-factory.ts';
import type { answers } from '../agents/index.ts';
import { createRecordReader } from '../record/wiring.ts';
import { createAnswerSources } from './answer-sources.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
/** The news is public: only files need the rights of the caller. */
const scope = {
  agent: { readsPublicRecord: true, readsFiles: true, fileProjects: null },
} as unknown as answers.SourceScope;
const searchOf = (...words: readonly string[]) => {
  const searched = words.map((word) => ({ forms: [word] }));
  return { words: searched, queries: searched.map((word) => ({ ...word, words: [word] })) };
};
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('questions leave half of the searches of a process to readers, and all are answered', async () => {
  const id = await createRecordFactory({ database: store.database, clock }).publish({
    title: 'Veltrane opens a plant in Leeds',
  });
  const record = createRecordReader({ ...store, searchDatabase: store.database });
  let [running, most] = [0, 0];
  const counted: typeof record.searchItemsForEach = async (...search) => {
    running += 1;
    most = Math.max(most, running);
    try {
      return await record.searchItemsForEach(...search);
    } finally {
      running -= 1;
    }
  };
  const baseUrl = 'https://daybook.example';
  const sources = createAnswerSources(
    { record: { ...record, searchItemsForEach: counted }, clock, baseUrl },
    null,
  );
  const found = await Promise.all(
    Array.from({ length: 12 }, () => sources.find(scope, searchOf('Veltrane', 'plant', 'Leeds', 'Osaka'))),
  );
  expect(found.map((some) => some.map((source) => source.id))).toEqual(
    Array.from({ length: 12 }, () => [id]),
  );
  expect(most).toBe(2);
});

test('a process refuses questions that would wait behind too many others', async () => {
  const record = createRecordReader({ ...store, searchDatabase: store.database });
  const sources = createAnswerSources({ record, clock, baseUrl: 'https://daybook.example' }, null);
  const asked = await Promise.allSettled(
    Array.from({ length: 40 }, () => sources.find(scope, searchOf('Veltrane'))),
  );
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBe(6);
  expect(refused[0]).toMatchObject({ reason: { detail: 'Too many questions are queued.' } });
});

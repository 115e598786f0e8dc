import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { readerLanguageOf } from '../../foundation/reader-language.ts';
import { itemLanguageSql } from './story-words-store.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test.each([
  [null, 'Veltrane opens its model'],
  [null, 'Veltrane 开源模型'],
  [null, '𠮷'],
  [null, '々'],
  [null, 'カタカナ'],
  [null, '한국어'],
  ['en', 'Veltrane 开源模型'],
  ['en-GB', 'Veltrane'],
  ['ZH-Hant', 'Veltrane'],
  ['zh', 'Veltrane'],
  ['enm', 'Veltrane'],
  ['de', 'Veltrane'],
])('the database and the code agree on the language of a text with tag %s: %s', async (language, title) => {
  const { rows } = await sql<{ language: string | null }>`
    SELECT ${itemLanguageSql('item')} AS language
    FROM (VALUES (${language}::text, ${title}::text)) AS item (language, title)`.execute(store.database);
  expect(rows[0]?.language).toBe(readerLanguageOf(language, title));
});

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { ReaderLanguage } from '../../foundation/reader-language.ts';

/** By language: as `readerLanguageOf` and `languageOfText`. */
export type TitlesByLanguage = Readonly<Partial<Record<ReaderLanguage, string>>>;

/** The characters of `\p{Script=Han}`. */
const han = '[⺀-⿕々〇〡-〩〸-〻㐀-䶿一-鿿豈-龎𠀀-𳑿]';

/** As `languageOfText`. */
function textLanguageSql(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`CASE WHEN ${text} ~ ${han} THEN 'zh' ELSE 'en' END`;
}

/** As `readerLanguageOf`, for the words of an item. */
export function itemLanguageSql(item: string): RawBuilder<ReaderLanguage | null> {
  const [language, title] = [sql.ref(`${item}.language`), sql.ref(`${item}.title`)];
  return sql`CASE
    WHEN ${language} IS NULL THEN ${textLanguageSql(title)}
    WHEN ${language} ~* '^zh\\M' THEN 'zh' WHEN ${language} ~* '^en\\M' THEN 'en' END`;
}

/** The id of a story's best item in a language: selected ones first, then by score. */
export function bestItemIn(
  language: ReaderLanguage,
  storyId: RawBuilder<unknown>,
): RawBuilder<{ readonly id: string }> {
  return sql`(
    SELECT told.id FROM record.item AS told
    WHERE told.story_id = ${storyId} AND told.withdrawn_at IS NULL AND ${itemLanguageSql('told')} = ${language}
    ORDER BY told.selected DESC, told.score DESC NULLS LAST, told.timeline_at, told.id LIMIT 1)`;
}

/**
 * The titles of a story's earliest items in each language, `{}` without one. A translated item has its original title
 * in the other language.
 */
export function titlesByLanguage(storyId: RawBuilder<unknown>): RawBuilder<TitlesByLanguage> {
  return sql`(
    SELECT coalesce(jsonb_object_agg(earliest.language, earliest.title), '{}') FROM (
      SELECT DISTINCT ON (words.language) words.language, words.title
      FROM record.item AS told
      CROSS JOIN LATERAL (VALUES
        (${itemLanguageSql('told')}, told.title, 1),
        (${textLanguageSql(sql.ref('told.original_title'))}, told.original_title, 2)
      ) AS words (language, title, place)
      WHERE told.story_id = ${storyId} AND told.withdrawn_at IS NULL
        AND words.language IS NOT NULL AND words.title IS NOT NULL
      ORDER BY words.language, told.timeline_at, told.id, words.place
    ) AS earliest)`;
}

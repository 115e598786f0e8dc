import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { RecordView } from '../items/record-view.ts';
import { presentView } from '../items/record-view.ts';

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
  view: RecordView = presentView,
): RawBuilder<{ readonly id: string }> {
  return sql`(
    SELECT candidate.id FROM ${view.itemsOf(storyId)} AS candidate
    WHERE candidate.story_id = ${storyId} AND candidate.withdrawn_at IS NULL AND ${view.hasWords('candidate')}
      AND ${itemLanguageSql('candidate')} = ${language}
    ORDER BY candidate.selected DESC, candidate.score DESC NULLS LAST, candidate.timeline_at, candidate.id
    LIMIT 1)`;
}

/**
 * The titles of a story's earliest items in each language, `{}` without one. A translated item has its original title
 * in the other language.
 */
export function titlesByLanguage(
  storyId: RawBuilder<unknown>,
  view: RecordView = presentView,
): RawBuilder<TitlesByLanguage> {
  return sql`(
    SELECT coalesce(jsonb_object_agg(earliest.language, earliest.title), '{}') FROM (
      SELECT DISTINCT ON (words.language) words.language, words.title
      FROM ${view.itemsOf(storyId)} AS candidate
      CROSS JOIN LATERAL (VALUES
        (${itemLanguageSql('candidate')}, candidate.title, 1),
        (${textLanguageSql(sql.ref('candidate.original_title'))}, candidate.original_title, 2)
      ) AS words (language, title, place)
      WHERE candidate.story_id = ${storyId} AND candidate.withdrawn_at IS NULL AND ${view.hasWords('candidate')}
        AND words.language IS NOT NULL AND words.title IS NOT NULL
      ORDER BY words.language, candidate.timeline_at, candidate.id, words.place
    ) AS earliest)`;
}

import { readerLanguageOf } from '../../../apps/server/src/foundation/reader-language.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { NewsStage } from '../news/news-stage.ts';

/** The titles of a story or an item in each language, by its id; read from the items alone. */
export interface LanguageTruth {
  readonly titlesOf: (key: string, language: ReaderLanguage) => ReadonlySet<string>;
  /** Stories with reports in both languages first, then the largest. */
  readonly storyIds: readonly string[];
  readonly itemsOf: (storyId: string) => readonly string[];
}

export async function readLanguageTruth({ database }: NewsStage): Promise<LanguageTruth> {
  const rows = await database
    .selectFrom('record.item')
    .select(['id', 'story_id', 'title', 'original_title', 'language'])
    .where('withdrawn_at', 'is', null)
    .execute();
  const titles = new Map<string, Set<string>>();
  const reports = new Map<string, string[]>();
  const add = (key: string, language: ReaderLanguage | null, title: string): void => {
    const name = `${key} ${language}`;
    titles.set(name, (titles.get(name) ?? new Set<string>()).add(title));
  };
  for (const { id, story_id: storyId, title, original_title: original, language } of rows) {
    for (const key of [id, ...(storyId === null ? [] : [storyId])]) {
      add(key, readerLanguageOf(language, title), title);
      if (original !== null) add(key, readerLanguageOf(null, original), original);
    }
    if (storyId !== null) reports.set(storyId, [...(reports.get(storyId) ?? []), id]);
  }
  const titlesOf: LanguageTruth['titlesOf'] = (key, language) =>
    titles.get(`${key} ${language}`) ?? new Set<string>();
  const weight = (id: string): number =>
    (titlesOf(id, 'en').size > 0 && titlesOf(id, 'zh').size > 0 ? 1_000_000 : 0) +
    (reports.get(id)?.length ?? 0);
  const storyIds = [...reports.keys()].toSorted((one, other) => weight(other) - weight(one));
  return { titlesOf, storyIds, itemsOf: (storyId) => reports.get(storyId) ?? [] };
}

/** Names in the other script do not decide: a text is Chinese if a fifth of its letters are. */
export function isMostly(language: ReaderLanguage, text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return letters === 0 || (language === 'zh') === han * 5 >= letters;
}

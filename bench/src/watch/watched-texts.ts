import { readFileSync } from 'node:fs';

import type { SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

/** Titles of real news in English and Chinese: their words are as common as in news. */
export const watchDataSets = [
  'replay/ai-news-34-days.jsonl',
  'replay/hotlists-zh-7-days.jsonl',
  'stories/roundups-en.jsonl',
];

export interface WatchedTexts {
  /** Each of another title, with a summary made of further ones in its language. */
  readonly nextItem: () => { readonly title: string; readonly summary: string };
  /** Words of a title that no item has, in its order. */
  readonly nextSearchWords: () => readonly string[];
  /** The share of items that contain a word, estimated by the titles that items are made of. */
  readonly shareOf: (word: string) => number;
  readonly random: () => number;
}

const titlesOfSummary = 3;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const isChinese = (title: string): boolean => /\p{Script=Han}/u.test(title);

export function readWatchedTexts({ data }: Pick<SuiteContext, 'data'>, seed: number): WatchedTexts {
  const random = seededRandom(seed);
  const titles = [...new Set(watchDataSets.flatMap((file) => titlesOf(data(file))))];
  const halves = Map.groupBy(titles, () => (random() < 0.5 ? 'items' : 'searches'));
  const [ofItems = [], ofSearches = []] = [halves.get('items'), halves.get('searches')];
  const byLanguage = Map.groupBy(ofItems, isChinese);
  const titlesWith = new Map<string, number>();
  for (const title of ofItems)
    for (const word of new Set(wordsOf(title))) titlesWith.set(word, (titlesWith.get(word) ?? 0) + 1);
  const pickOf = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  return {
    random,
    nextItem: () => {
      const title = pickOf(ofItems);
      const alike = byLanguage.get(isChinese(title)) ?? [];
      const summary = Array.from({ length: titlesOfSummary }, () => pickOf(alike)).join(' ');
      return { title, summary };
    },
    nextSearchWords: () => wordsOf(pickOf(ofSearches)),
    shareOf: (word) => 1 - (1 - (titlesWith.get(word) ?? 0) / ofItems.length) ** (titlesOfSummary + 1),
  };
}

function titlesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly title: string }).title);
}

/** English words of four letters or more, Chinese ones of two characters or more. */
function wordsOf(title: string): readonly string[] {
  const least = isChinese(title) ? 2 : 4;
  return Array.from(segmenter.segment(title.toLowerCase()))
    .filter(({ segment, isWordLike }) => isWordLike === true && Array.from(segment).length >= least)
    .map(({ segment }) => segment);
}

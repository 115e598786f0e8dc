import { contentWords, factsOf, sharedWords, splitSentences } from '@daybook/grounding';

import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText, readerLanguageOf } from '../../foundation/reader-language.ts';
import { isBoilerplate, isSpeech, leansOnSentenceBefore } from '../copy/sentence-shape.ts';
import type { EditionCandidate } from './choose-entries.ts';

/** What text is written from. */
export type WordedItem = Pick<EditionCandidate, 'id' | 'title' | 'summary' | 'language'>;

/** Headline and overview of an edition, with the items they cite. */
export interface WrittenWords {
  readonly language: ReaderLanguage;
  readonly headline: string;
  readonly overview: string;
  readonly headlineCites: readonly Id<'item'>[];
  readonly overviewCites: readonly Id<'item'>[];
}

/** The headline is the title of one of so many leading items. */
const leadingMax = 4;
/** Sentences of an overview, each about another story; titles are used only below the minimum. */
const sentences = { min: 2, max: 3 };
/** Two sentences that share so many of their words are about the same event. */
const sameEventShare = 0.5;
/** In characters. A title below the minimum is a name and does not state an event. */
const bounds = {
  en: { headlineMin: 25, headlineMax: 140, sentenceMax: 280 },
  zh: { headlineMin: 8, headlineMax: 60, sentenceMax: 120 },
};

/**
 * By rule, in words of the items themselves, most important first: a title of a headline's length, and two or three
 * complete sentences, each of another story, from the items in this language; if none is, from all. So the cited items
 * contain every statement.
 */
export function writeWords(entries: readonly WordedItem[], language: ReaderLanguage): WrittenWords {
  const own = entries.filter((entry) => isIn(language, entry));
  const readable = own.length > 0 ? own : entries;
  const leading = readable.slice(0, leadingMax);
  const [first] = leading;
  if (first === undefined) throw new RangeError('a report without entries has no headline');
  const { headlineMin, headlineMax } = bounds[language];
  const top =
    leading.find(({ title }) => title.length >= headlineMin && title.length <= headlineMax) ?? first;
  const chosen = overviewOf(readable, top, language);
  const overview = chosen.length > 0 ? chosen : [{ id: top.id, text: endedTitle(top.title, language) }];
  return {
    language: own.length > 0 ? language : languageOfText(top.title),
    headline: top.title,
    headlineCites: [top.id],
    overview: overview.map(({ text }) => text).join(language === 'zh' ? '' : ' '),
    overviewCites: overview.map(({ id }) => id),
  };
}

/** The same; null without an item in this language. */
export function wordsIn(language: ReaderLanguage, entries: readonly WordedItem[]): WrittenWords | null {
  return entries.some((entry) => isIn(language, entry)) ? writeWords(entries, language) : null;
}

interface OverviewSentence {
  readonly id: Id<'item'>;
  readonly text: string;
}

/** In the order of importance. The title of the headline is repeated only if there are no two other statements. */
function overviewOf(
  entries: readonly WordedItem[],
  top: WordedItem,
  language: ReaderLanguage,
): readonly OverviewSentence[] {
  const chosen = new Map<WordedItem, string>();
  const add = (entry: WordedItem, text: string | null): void => {
    if (text !== null && ![...chosen.values()].some((other) => isSameEvent(text, other)))
      chosen.set(entry, text);
  };
  for (const entry of entries) if (chosen.size < sentences.max) add(entry, leadSentence(entry, language));
  for (const entry of [...entries.filter((one) => one !== top), top])
    if (chosen.size < sentences.min && !chosen.has(entry)) add(entry, titleSentence(entry, language));
  return entries.flatMap((entry) => {
    const text = chosen.get(entry);
    return text === undefined ? [] : [{ id: entry.id, text }];
  });
}

/** The sentence of the summary that is closest to the title, complete in itself and with a fact; null without one. */
function leadSentence({ title, summary }: WordedItem, language: ReaderLanguage): string | null {
  const titleWords = contentWords(title);
  const usable = splitSentences(summary)
    .filter((sentence) => sentence.length <= bounds[language].sentenceMax && statesFact(sentence))
    .filter((sentence) => !isBoilerplate(sentence) && !leansOnSentenceBefore(sentence) && !isSpeech(sentence))
    .map((text) => ({ text, count: sharedWords(titleWords, contentWords(text)).count }));
  // The first of the closest: a summary begins with the most important fact.
  return usable.sort((one, other) => other.count - one.count)[0]?.text ?? null;
}

/** Null for a name or a title that states nothing. */
function titleSentence({ title }: WordedItem, language: ReaderLanguage): string | null {
  const { headlineMin, headlineMax } = bounds[language];
  const isStatement = title.length >= headlineMin && title.length <= headlineMax && statesFact(title);
  return isStatement ? endedTitle(title, language) : null;
}

function isSameEvent(one: string, other: string): boolean {
  return sharedWords(contentWords(one), contentWords(other)).share >= sameEventShare;
}

/** Ignores the first word, whose capital letter does not prove a name. */
function statesFact(sentence: string): boolean {
  return factsOf(sentence.replace(/^\p{Script=Latin}+\s/u, '')).length > 0;
}

function isIn(language: ReaderLanguage, item: WordedItem): boolean {
  return readerLanguageOf(item.language, item.title) === language;
}

function endedTitle(title: string, language: ReaderLanguage): string {
  if (/[.!?。！？…]["”’」』]?$/u.test(title)) return title;
  return `${title}${language === 'zh' ? '。' : '.'}`;
}

import type { Id } from '../../foundation/ids.ts';
import { factsOf, splitSentences } from '../../grounding/index.ts';
import type { EditionCandidate } from './choose-entries.ts';

export type EditionLanguage = 'en' | 'zh';

/** Headline and overview of an edition, with the items they cite. */
export interface EditionWords {
  readonly headline: string;
  readonly overview: string;
  readonly headlineCites: readonly Id<'item'>[];
  readonly overviewCites: readonly Id<'item'>[];
}

const leadingMax = 4;
/** In characters. A title below the minimum is a name and does not state an event. */
const bounds = {
  en: { headlineMin: 25, headlineMax: 140, sentenceMax: 280 },
  zh: { headlineMin: 8, headlineMax: 60, sentenceMax: 120 },
};

/**
 * By rule, in words of the items themselves: the first title of a headline's length, and the opening sentence of each leading item if it
 * states a fact, preferably in the installation's language. So the cited items contain every statement.
 */
export function writeWords(entries: readonly EditionCandidate[], language: EditionLanguage): EditionWords {
  const own = entries.filter((entry) => isIn(language, entry.language));
  const leading = (own.length > 0 ? own : entries).slice(0, leadingMax);
  const [first] = leading;
  if (first === undefined) throw new RangeError('a report without entries has no headline');
  const { headlineMin, headlineMax, sentenceMax } = bounds[language];
  const top =
    leading.find(({ title }) => title.length >= headlineMin && title.length <= headlineMax) ?? first;
  const told = leading.flatMap(({ id, title, summary }) => {
    const [opening = endedTitle(title, language)] = splitSentences(summary);
    return opening.length <= sentenceMax && statesFact(opening) ? [{ id, text: opening }] : [];
  });
  const overview = told.length > 0 ? told : [{ id: top.id, text: endedTitle(top.title, language) }];
  return {
    headline: top.title,
    headlineCites: [top.id],
    overview: overview.map(({ text }) => text).join(language === 'zh' ? '' : ' '),
    overviewCites: overview.map(({ id }) => id),
  };
}

/** Ignores the first word, whose capital letter does not prove a name. */
function statesFact(sentence: string): boolean {
  return factsOf(sentence.replace(/^\p{Script=Latin}+\s/u, '')).length > 0;
}

function isIn(language: EditionLanguage, own: string | null): boolean {
  return (own ?? '').toLowerCase().startsWith(language);
}

function endedTitle(title: string, language: EditionLanguage): string {
  if (/[.!?。！？…”"]$/u.test(title)) return title;
  return `${title}${language === 'zh' ? '。' : '.'}`;
}

import { Random } from './random.ts';
import type { Language } from './report.ts';

export interface EditionPhrasing {
  readonly headline: string;
  readonly overview: string;
}

const openings: Readonly<Record<Language, Readonly<Record<EditionPeriod, readonly string[]>>>> = {
  en: {
    daily: ['The day was led by', 'The day opens with', 'Leading the day is'],
    weekly: ['The week was shaped by', 'Running through the whole week was', 'The week belonged to'],
    monthly: ['The month will be remembered for', 'Above all the month brought', 'The month was marked by'],
  },
  zh: {
    daily: ['今日最受关注的是', '今天的头条是', '当天最重要的消息是'],
    weekly: ['本周最受关注的是', '贯穿全周的是', '本周的主线是'],
    monthly: ['本月最值得记住的是', '本月的主线是', '本月影响最大的是'],
  },
};

export type EditionPeriod = 'daily' | 'weekly' | 'monthly';

/** Headline and overview of an edition from the titles of its chosen stories, the weightiest first. The same for the same titles. */
export function phraseEdition(edition: {
  readonly period: EditionPeriod;
  readonly language: Language;
  readonly titles: readonly string[];
}): EditionPhrasing {
  const { period, language, titles } = edition;
  const [first, second, ...others] = titles;
  if (first === undefined) throw new RangeError('an edition without stories has no headline');
  const opening = new Random(first.length, titles.length, first.codePointAt(0) ?? 0).pick(
    openings[language][period],
  );
  return language === 'en'
    ? english(opening, first, second, others)
    : chinese(opening, first, second, others);
}

function english(
  opening: string,
  first: string,
  second: string | undefined,
  others: readonly string[],
): EditionPhrasing {
  const sentences = [`${opening} “${first}”.`];
  if (second !== undefined) sentences.push(`Close behind: “${second}”.`);
  if (others.length > 0) {
    sentences.push(
      `Also in this edition: ${others
        .slice(0, 3)
        .map((title) => `“${title}”`)
        .join(', ')}.`,
    );
  }
  if (others.length > 3)
    sentences.push(`${others.length - 3} further ${others.length === 4 ? 'story' : 'stories'} below.`);
  return { headline: second === undefined ? first : `${first}; ${second}`, overview: sentences.join(' ') };
}

function chinese(
  opening: string,
  first: string,
  second: string | undefined,
  others: readonly string[],
): EditionPhrasing {
  let overview = `${opening}“${first}”。`;
  if (second !== undefined) overview += `其次是“${second}”。`;
  if (others.length > 0)
    overview += `此外还有：${others
      .slice(0, 3)
      .map((title) => `“${title}”`)
      .join('、')}。`;
  if (others.length > 3) overview += `另有 ${others.length - 3} 则报道见下文。`;
  return { headline: second === undefined ? first : `${first}；${second}`, overview };
}

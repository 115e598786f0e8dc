import { readFileSync } from 'node:fs';

import { createWorld } from '@daybook/newswire';

import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';

/** A text that sentences are taken from and checked against, with the other texts of its story. */
export interface CitedText {
  readonly origin: 'newswire' | 'real';
  readonly language: ReaderLanguage;
  readonly text: string;
  readonly published: Temporal.PlainDate | null;
  /** Texts of the same story and language that a sentence of this one does not cite. */
  readonly others: readonly string[];
  /** Names that are known to occur in the world of these texts; none for real texts. */
  readonly worldNames: readonly string[];
}

/** Stories of a simulated world, a text for each item that has another in its story and language. */
export function newswireTexts(seed: number, days: number): CitedText[] {
  const world = createWorld({ seed, startsAt: Date.UTC(2026, 9, 1), days, itemsPerDay: 150 });
  const names = { en: 0, zh: 1 } as const;
  const worldNames = (language: ReaderLanguage): string[] =>
    [...world.organizations, ...world.people].map(({ name }) => name[names[language]]);
  const stories = new Map<string, { language: ReaderLanguage; text: string; published: string }[]>();
  for (const item of world.dispatches()) {
    if (item.storyKey === null) continue;
    const language = item.originalTitle === null ? item.language : item.language === 'en' ? 'zh' : 'en';
    const cited = { language, text: `${item.title}\n${item.body()}`, published: item.discoveredAt };
    const key = `${item.storyKey} ${language}`;
    stories.set(key, [...(stories.get(key) ?? []), cited]);
  }
  return [...stories.values()]
    .filter((items) => items.length > 1)
    .flatMap((items) =>
      items.map(({ language, text, published }, at) => ({
        origin: 'newswire' as const,
        language,
        text,
        published: Temporal.PlainDate.from(published.slice(0, 10)),
        others: items.filter((_, index) => index !== at).map((other) => other.text),
        worldNames: worldNames(language),
      })),
    );
}

/**
 * Real texts: article bodies, headlines of one event by several outlets, Chinese leads. `half` splits them in two by
 * their place in the file, so that texts that were read while the checker was written are not scored.
 */
export function realTexts(dataFolder: string, half: 'even' | 'odd'): CitedText[] {
  const mine = (_: unknown, at: number): boolean => at % 2 === (half === 'even' ? 0 : 1);
  return [
    ...articles(dataFolder).filter(mine),
    ...headlines(dataFolder).filter(mine),
    ...leads(dataFolder).filter(mine),
  ];
}

function articles(dataFolder: string): CitedText[] {
  return articleBodies(dataFolder).map(([, text]) => real('en', text, []));
}

/** The English articles among the labelled pages, with their ids. */
export function articleBodies(dataFolder: string): (readonly [id: string, text: string])[] {
  const path = `${dataFolder}/html/article-bodies/ground-truth.json`;
  const pages = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { readonly articleBody: string }>;
  return Object.entries(pages)
    .map(([id, { articleBody }]) => [id, articleBody] as const)
    .filter(([, body]) => isEnglish(body));
}

/** By counting: common words of English against all words. */
function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const common = words.filter((word) => /^(?:the|of|and|to|in|a|is|that|for)$/u.test(word));
  return words.length > 60 && common.length / words.length > 0.12;
}

function headlines(dataFolder: string): CitedText[] {
  const stories = new Map<string, string[]>();
  for (const file of ['aggregator-en', 'roundups-en']) {
    for (const row of readRows<{ title: string; story: string }>(`${dataFolder}/stories/${file}.jsonl`))
      stories.set(row.story, [...(stories.get(row.story) ?? []), row.title]);
  }
  return [...stories.values()]
    .filter((titles) => titles.length > 1)
    .flatMap((titles) =>
      titles.slice(0, 6).map((text) =>
        real(
          'en',
          text,
          titles.filter((other) => other !== text),
        ),
      ),
    );
}

function leads(dataFolder: string): CitedText[] {
  const rows = readRows<{ title: string; lead: string; lang: string }>(
    `${dataFolder}/stories/assign-or-new-en-zh.jsonl`,
  );
  return rows
    .filter(({ lang, lead }) => lang !== 'en' && /\p{Script=Han}{20}/u.test(lead.replace(/[，。、]/gu, '')))
    .map(({ title, lead }) => real('zh', `${title}\n${lead}`, []));
}

function real(language: ReaderLanguage, text: string, others: readonly string[]): CitedText {
  return { origin: 'real', language, text, published: null, others, worldNames: [] };
}

export function readRows<Row>(path: string): Row[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

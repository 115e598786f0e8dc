import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import type { Suite } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding';
import { Readability } from '@mozilla/readability';

import { openPage } from '../../../apps/server/src/ingest/parse/html-page.ts';
import { evaluateCopy } from '../../../apps/server/src/newsroom/evaluation/evaluate-copy.ts';

interface Labels {
  readonly page: string;
  readonly language: string;
  readonly facts: readonly string[];
  readonly notFromHere: readonly string[];
}

export const suite: Suite = {
  name: 'copy',
  summary: 'summaries by rule of real pages, beside the first three sentences of plain Readability',
  promise:
    'A summary by rule of a real page contains no caption, byline, dateline, call to subscribe or link from around the article, and states the fact that an editor named as the most important one. The rules were written with these labelled pages, so the goals are a few points below the measured values; labels of other sites measure the rest (`daybook newsroom evaluate copy`).',
  measuresNoTime: true,
  dataSets: ['copy', 'html/article-bodies', 'html/readability', 'html/zh-pages'],
  run: async (context) => {
    const folder = context.data('copy');
    const lines = readFileSync(`${folder}/articles-dev.jsonl`, 'utf8').trim().split('\n');
    const read = (page: string): string => {
      const bytes = readFileSync(`${folder}/${page}`);
      return (page.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    };
    const chosen = context.quick ? lines.filter((_, at) => at % 3 === 0) : lines;
    const { rates, meanFactShare, pages } = evaluateCopy(chosen.join('\n'), read);
    const share = (name: string): number =>
      100 * (rates.find((rate) => rate.name === name)?.share ?? Number.NaN);
    const plain = plainRates(
      chosen.map((line) => JSON.parse(line) as Labels),
      read,
    );
    const figure = (
      name: string,
      value: number,
      goal: { atLeast: number } | { atMost: number },
      ofPlain?: number,
    ): void => {
      context.figure({ name, value, unit: '%', goal });
      if (ofPlain !== undefined)
        context.figure({ name: `${name}: first three sentences`, value: ofPlain, unit: '%' });
    };
    context.figure({ name: 'pages', value: pages.length, unit: 'pages' });
    const forbidden = share('summaries that contain a forbidden string');
    figure('contain a forbidden string', forbidden, { atMost: 4 }, plain.forbidden);
    figure('begin with a dateline', share('summaries that begin with a dateline'), { atMost: 3 });
    const main = share('summaries with the most important fact');
    figure('state the most important fact', main, { atLeast: 74 }, plain.main);
    const good = share('summaries with it and without a fault');
    figure('state it without a fault', good, { atLeast: 72 }, plain.good);
    figure('labelled facts in a summary, mean', 100 * meanFactShare, { atLeast: 37 }, plain.facts);
  },
};

interface PlainRates {
  readonly forbidden: number;
  readonly main: number;
  readonly good: number;
  readonly facts: number;
}

/** The first three sentences have no limit: they are longer than a summary by rule. */
function plainRates(rows: readonly Labels[], read: (page: string) => string): PlainRates {
  const pages = rows.map(({ page, facts, notFromHere, language }) => {
    const text = new Readability(openPage(read(page))).parse()?.textContent ?? '';
    const lead = spaced(
      splitSentences(text)
        .slice(0, 3)
        .join(language === 'zh' ? '' : ' '),
    );
    const has = (part: string): boolean => lead.includes(spaced(part));
    return {
      isForbidden: notFromHere.some(has),
      isMain: has(facts[0] ?? ''),
      facts: facts.filter(has).length / Math.max(1, facts.length),
    };
  });
  const mean = (value: (page: (typeof pages)[number]) => number): number =>
    (100 * pages.reduce((sum, page) => sum + value(page), 0)) / Math.max(1, pages.length);
  return {
    forbidden: mean(({ isForbidden }) => Number(isForbidden)),
    main: mean(({ isMain }) => Number(isMain)),
    good: mean(({ isMain, isForbidden }) => Number(isMain && !isForbidden)),
    facts: mean((page) => page.facts),
  };
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

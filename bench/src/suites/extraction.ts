import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

import type { Suite } from '@daybook/evidence';
import { Readability } from '@mozilla/readability';

import { articleBody } from '../../../apps/server/src/ingest/extract/article-body.ts';
import { decodeDocument } from '../../../apps/server/src/ingest/parse/decode-document.ts';
import { openPage } from '../../../apps/server/src/ingest/parse/html-page.ts';

interface LabelledPage {
  readonly html: string;
  readonly body: string;
}

export const suite: Suite = {
  name: 'extraction',
  summary: 'article text taken from real pages, beside plain Readability',
  promise:
    'The text extracted from 181 real article pages matches what people marked as the article. The measure is the F1 of mean precision and mean recall over runs of four words, as the publishers of the pages compute it. Rules were written with pages of even number; pages of odd number are scored.',
  measuresNoTime: true,
  dataSets: ['html/article-bodies'],
  run: async (context) => {
    const pages = readPages(context.data('html/article-bodies'));
    const odd = pages.filter((_, at) => at % 2 === 1);
    const even = pages.filter((_, at) => at % 2 === 0);
    const ours = agreement(odd, articleBody);
    const plain = agreement(odd, plainReadability);
    context.figure({ name: 'pages scored', value: odd.length, unit: 'pages' });
    context.figure({ name: 'F1', value: ours.f1, unit: 'of 1', goal: { atLeast: 0.96 } });
    context.figure({ name: 'precision', value: ours.precision, unit: 'of 1' });
    context.figure({ name: 'recall', value: ours.recall, unit: 'of 1' });
    context.figure({ name: 'F1 of plain Readability on the same pages', value: plain.f1, unit: 'of 1' });
    if (!context.quick)
      context.figure({
        name: 'F1 on the pages that the rules were written with',
        value: agreement(even, articleBody).f1,
        unit: 'of 1',
      });
  },
};

function readPages(folder: string): readonly LabelledPage[] {
  const truth = JSON.parse(readFileSync(`${folder}/ground-truth.json`, 'utf8')) as Readonly<
    Record<string, { readonly articleBody: string }>
  >;
  return Object.entries(truth).map(([id, { articleBody: body }]) => {
    const bytes = gunzipSync(readFileSync(`${folder}/html/${id}.html.gz`));
    return { html: decodeDocument(bytes, 'text/html').text, body };
  });
}

function plainReadability(html: string): string {
  return new Readability(openPage(html)).parse()?.textContent ?? '';
}

function agreement(
  pages: readonly LabelledPage[],
  extract: (html: string) => string,
): { readonly precision: number; readonly recall: number; readonly f1: number } {
  const scores = pages.map(({ html, body }) => compare(shingles(body), shingles(extract(html))));
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const precision = mean(scores.map((score) => score.precision));
  const recall = mean(scores.map((score) => score.recall));
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function compare(
  truth: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): { readonly precision: number; readonly recall: number } {
  let both = 0;
  for (const [shingle, count] of found) both += Math.min(count, truth.get(shingle) ?? 0);
  const size = (bag: ReadonlyMap<string, number>): number => bag.values().reduce((sum, one) => sum + one, 0);
  const share = (whole: number): number => (whole === 0 ? Number(both === 0) : both / whole);
  return { precision: size(found) === 0 ? 0 : share(size(found)), recall: share(size(truth)) };
}

/** Runs of four words with how often they occur; a shorter text is one run. */
function shingles(text: string): ReadonlyMap<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const length = Math.min(4, Math.max(1, words.length));
  const bag = new Map<string, number>();
  for (let at = 0; at + length <= words.length; at += 1) {
    const run = words.slice(at, at + length).join(' ');
    bag.set(run, (bag.get(run) ?? 0) + 1);
  }
  return bag;
}

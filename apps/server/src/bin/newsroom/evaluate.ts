import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import * as evaluation from '../../newsroom/evaluation/index.ts';
import { UsageError, printResult } from '../command-line.ts';

interface EvaluateOptions {
  readonly articles?: string | undefined;
  readonly chart?: string | undefined;
  readonly json: boolean;
}

/** Compares the newsroom with the labels of a file, by the measure that fits the file. */
export async function evaluate(
  measure: string | undefined,
  file: string | undefined,
  options: EvaluateOptions,
): Promise<void> {
  if (file === undefined) throw new UsageError();
  const text = await readFile(file, 'utf8');
  if (measure === 'copy') printCopy(text, dirname(file), options);
  else if (measure === 'claims') await printClaims(text, options.articles ?? articlesBeside(file), options);
  else if (measure === 'selection') await printSelection(text, dirname(file), options);
  else throw new UsageError();
}

/** `claims-dev.jsonl` cites the articles of `articles-dev.jsonl`. */
function articlesBeside(file: string): string {
  return join(dirname(file), basename(file).replace('claims', 'articles'));
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function pagesOf(folder: string): (page: string) => string {
  return (page) => {
    const bytes = readFileSync(join(folder, page));
    return (page.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  };
}

function printCopy(text: string, folder: string, { json }: EvaluateOptions): void {
  const result = evaluation.evaluateCopy(text, pagesOf(folder));
  printResult(json, result, [
    `${result.pages.length} pages; shares with 95 % intervals`,
    ...result.rates.map(evaluation.rateLine),
    `labelled facts in a summary: mean ${percent(result.meanFactShare)}, median ${percent(result.medianFactShare)}`,
  ]);
}

async function printClaims(text: string, articles: string, { json }: EvaluateOptions): Promise<void> {
  const result = evaluation.evaluateClaims(text, await readFile(articles, 'utf8'));
  printResult(json, result, ['shares with 95 % intervals', ...result.rates.map(evaluation.rateLine)]);
}

async function printSelection(text: string, folder: string, { chart, json }: EvaluateOptions): Promise<void> {
  const result = evaluation.evaluateSelection(text, pagesOf(folder));
  const within = result.aucWithinGroups;
  if (chart !== undefined) await writeFile(chart, evaluation.sweepChart(result.sweep));
  printResult(json, result, [
    `${result.items} items, ${result.selected} selected by the editor`,
    `AUC over all pairs: ${result.auc?.toFixed(3) ?? 'no pairs to compare'}`,
    ...(within === null
      ? []
      : [
          `AUC within one source and day: ${within.auc.toFixed(3)} (${within.low.toFixed(3)}–${within.high.toFixed(3)}), ${within.pairs} pairs`,
        ]),
    `precision at the editor’s selection rate: ${percent(result.precisionAtEditorsRate)}`,
    ...(result.relevanceF1 === null ? [] : [`F1 of relevance: ${result.relevanceF1.toFixed(3)}`]),
    ...(result.rates.length === 0 ? [] : ['', 'shares with 95 % intervals']),
    ...result.rates.map(evaluation.rateLine),
    '',
    'threshold   chosen  precision   recall',
    ...result.sweep
      .filter(({ threshold }) => threshold % 5 === 0)
      .map(
        ({ threshold, chosen, precision, recall }) =>
          `${String(threshold).padStart(9)} ${String(chosen).padStart(8)}   ${percent(precision).padStart(8)} ${percent(recall).padStart(8)}`,
      ),
    ...(chart === undefined ? [] : ['', `Chart written to ${chart}`]),
  ]);
}

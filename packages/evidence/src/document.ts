import { readFile, writeFile } from 'node:fs/promises';

import type { Figure } from './figure.ts';
import { formatNumber } from './print.ts';
import type { SuiteResult } from './suite.ts';

/** Replaces each suite's section of the document, between its two markers, and adds those it does not have yet. */
export async function updateDocument(path: string, results: readonly SuiteResult[]): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const result of results) {
    if (result.notRun === null) text = replaceSection(text, result);
  }
  await writeFile(path, text);
}

export function replaceSection(text: string, result: SuiteResult): string {
  const { name } = result.suite;
  const [start, end] = [`<!-- suite:${name} -->`, `<!-- /suite:${name} -->`];
  const section = `${start}\n${renderSection(result)}\n${end}`;
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to === -1) return `${text.trimEnd()}\n\n${section}\n`;
  return text.slice(0, from) + section + text.slice(to + end.length);
}

function renderSection({ suite, figures }: SuiteResult): string {
  const rows = figures.map((figure) => `| ${cells(figure).join(' | ')} |`);
  return [
    `## ${suite.name}`,
    '',
    suite.promise,
    '',
    '| Figure | Value | Bare | Ratio (95 % interval) | Goal | Holds |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function cells(figure: Figure): readonly string[] {
  const ratio =
    figure.ratio === null || figure.interval === null
      ? ''
      : `${figure.ratio.toFixed(3)} (${figure.interval[0].toFixed(3)} to ${figure.interval[1].toFixed(3)})`;
  return [
    figure.name,
    `${formatNumber(figure.value)} ${figure.unit}`,
    figure.bare === null ? '' : `${formatNumber(figure.bare)} ${figure.unit}`,
    ratio,
    figure.goal ?? '',
    figure.holds === null ? '' : figure.holds ? 'yes' : 'no',
  ];
}

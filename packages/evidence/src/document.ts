import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Figure } from './figure.ts';
import { formatNumber } from './print.ts';
import type { SuiteOptions, SuiteResult } from './suite.ts';

type Kind = SuiteOptions['kind'];

/** Writes every figure of each suite to a file of its own. The folder is an artefact of the run. */
export async function writeTables(
  folder: string,
  results: readonly SuiteResult[],
  command: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { suite, figures, notRun } of results) {
    if (notRun !== null) continue;
    const lines = [
      `# ${suite.name}\n`,
      `${suite.promise}\n`,
      `\`${command}\`\n`,
      '| Figure | Value | Bare | Ratio (95 % interval) | Goal | Holds |',
      '|---|---|---|---|---|---|',
      ...figures.map((figure) => row(cells(figure))),
    ];
    await writeFile(join(folder, `${suite.name}.md`), `${lines.join('\n')}\n`);
  }
}

/** Replaces the rows of these suites in the one table of the document. */
export async function updateDocument(
  path: string,
  kind: Kind,
  date: string,
  results: readonly SuiteResult[],
): Promise<void> {
  await writeFile(path, replaceRows(await readFile(path, 'utf8'), kind, date, results));
}

export function replaceRows(text: string, kind: Kind, date: string, results: readonly SuiteResult[]): string {
  const measured = results.filter(({ notRun }) => notRun === null);
  const [head, separator, body] = text.split(/^(\|[-|]+\|\n)/m);
  if (head === undefined || separator === undefined || body === undefined)
    throw new Error('the document has no table');
  const names = new Set(measured.map(({ suite }) => suite.name));
  const rows = body.split('\n').filter((line) => line !== '' && !names.has(suiteOf(line)));
  rows.push(
    ...measured.flatMap((result) =>
      kind === 'prove' ? [guaranteeRow(result, date)] : benchmarkRows(result, date),
    ),
  );
  rows.sort((a, b) => suiteOf(a).localeCompare(suiteOf(b), 'en'));
  return `${head}${separator}${rows.join('\n')}\n`;
}

function suiteOf(line: string): string {
  return line.split(' | ', 1)[0]?.slice(2) ?? '';
}

function guaranteeRow({ suite, figures }: SuiteResult, date: string): string {
  const goals = figures.filter(({ goal }) => goal !== null);
  const missed = goals.filter(({ holds }) => holds === false);
  const headline = figures.find(({ name }) => name.startsWith(suite.headline ?? '')) ?? figures[0];
  const shown = [...new Set([...missed, ...(headline === undefined ? [] : [headline])])];
  const result = [
    `${goals.length - missed.length} of ${goals.length} goals met`,
    ...shown.map(
      (figure) => `${missed.includes(figure) ? 'missed: ' : ''}${figure.name}: ${measure(figure)}`,
    ),
  ];
  return row([suite.name, suite.summary, date, result.join('; ')]);
}

/** Figures that only inform are in the full tables. */
function benchmarkRows({ suite, figures }: SuiteResult, date: string): readonly string[] {
  return figures
    .filter(({ goal, bare }) => goal !== null || bare !== null)
    .map((figure) => {
      const [name, value, bare, , goal] = cells(figure) as [string, string, string, string, string];
      const ratio = figure.ratio?.toFixed(3) ?? '';
      return row([
        suite.name,
        name,
        value,
        bare,
        ratio,
        figure.holds === false ? `${goal}, missed` : goal,
        date,
      ]);
    });
}

function row(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}

function measure({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  return `${formatNumber(value)} ${unit}`.trim();
}

function cells(figure: Figure): readonly string[] {
  const { name, value, unit, bare, ratio, interval, goal, holds } = figure;
  return [
    name,
    measure({ value, unit }),
    bare === null ? '' : measure({ value: bare, unit }),
    ratio === null || interval === null
      ? ''
      : `${ratio.toFixed(3)} (${interval[0].toFixed(3)} to ${interval[1].toFixed(3)})`,
    goal ?? '',
    holds === null ? '' : holds ? 'yes' : 'no',
  ];
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Figure } from './figure.ts';
import { formatNumber } from './print.ts';
import type { SuiteOptions, SuiteResult } from './suite.ts';

/** Writes every figure of each suite to a file of its own. The folder is an artefact of the run. */
export async function writeTables(
  folder: string,
  results: readonly SuiteResult[],
  command: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const header = `| Figure | Value | Bare | Ratio (95 % interval) | Goal | Holds |\n|---|---|---|---|---|---|`;
  for (const { suite, figures, notRun, skipped } of results) {
    if (notRun !== null || skipped !== null) continue;
    const rows = figures.map((figure) => {
      const [low, high] = (figure.interval ?? []).map((bound) => bound.toFixed(3));
      const interval = low === undefined ? '' : ` (${low} to ${high})`;
      const holds = figure.holds === null ? '' : figure.holds ? 'yes' : 'no';
      return row([...measured(figure), `${ratio(figure)}${interval}`, figure.goal ?? '', holds]);
    });
    const text = [`# ${suite.name}\n`, `${suite.promise}\n`, `\`${command}\`\n`, header, ...rows].join('\n');
    await writeFile(join(folder, `${suite.name}.md`), `${text}\n`);
  }
}

/** Replaces the rows of these suites in the one table of a document; a suite that did not run to its end has none. */
export function replaceRows(
  text: string,
  kind: SuiteOptions['kind'],
  date: string,
  results: readonly SuiteResult[],
): string {
  const [head = '', separator = '', body = ''] = text.split(/^(\|[-|]+\|\n)/m);
  if (separator === '') throw new Error('the document has no table');
  const complete = results.filter(
    ({ notRun, skipped, crashed }) => notRun === null && skipped === null && crashed === null,
  );
  const names = new Set(complete.map(({ suite }) => suite.name));
  const rowsOf = kind === 'prove' ? guaranteeRows : benchmarkRows;
  const rows = [
    ...body.split('\n').filter((line) => line !== '' && !names.has(suiteOf(line))),
    ...complete.flatMap((result) => rowsOf(result, date)),
  ];
  rows.sort((a, b) => suiteOf(a).localeCompare(suiteOf(b), 'en'));
  return `${head}${separator}${rows.join('\n')}\n`;
}

function suiteOf(line: string): string {
  return line.split(' | ', 1)[0]?.slice(2) ?? '';
}

function guaranteeRows({ suite, figures }: SuiteResult, date: string): readonly string[] {
  const goals = figures.filter(({ goal }) => goal !== null);
  const missed = goals.filter(({ holds }) => holds === false);
  const headline = figures.find(({ name }) => name.startsWith(suite.headline ?? '')) ?? figures[0];
  const result = [
    `${goals.length - missed.length} of ${goals.length} goals met`,
    ...missed.map((figure) => `missed: ${measured(figure).slice(0, 2).join(': ')}`),
    ...(headline === undefined || missed.includes(headline)
      ? []
      : [measured(headline).slice(0, 2).join(': ')]),
  ];
  return [row([suite.name, suite.summary, date, result.join('; ')])];
}

/** Figures that only inform are in the full tables. */
function benchmarkRows({ suite, figures }: SuiteResult, date: string): readonly string[] {
  const shown = figures.filter(({ goal, bare, isRecorded }) => goal !== null || bare !== null || isRecorded);
  return shown.map((figure) => {
    const goal = `${figure.goal ?? ''}${figure.holds === false ? ', missed' : ''}`;
    return row([suite.name, ...measured(figure), ratio(figure), goal, date]);
  });
}

function row(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}

function measured({ name, value, unit, bare }: Figure): readonly [string, string, string] {
  const text = (number: number): string => `${formatNumber(number)} ${unit}`.trim();
  return [name, text(value), bare === null ? '' : text(bare)];
}

function ratio(figure: Figure): string {
  return figure.ratio?.toFixed(3) ?? '';
}

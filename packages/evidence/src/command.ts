import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { replaceRows, writeTables } from './document.ts';
import type { Figure } from './figure.ts';
import { costTable, figureLine } from './print.ts';
import type { LoadedSuite } from './suite-run.ts';
import { runSuites } from './suite-run.ts';
import type { SuiteResult } from './suite.ts';

/** The time limit of a suite under `--all --quick` on an idle machine, so that the check stays short. */
const quickSecondsMax = 40;

export interface CommandOptions {
  readonly name: 'bench' | 'prove';
  readonly suitesFolder: URL;
  /** Repository root. Full tables go to its `evidence/` folder, which is not committed. */
  readonly root: string;
  /** The page with the table that `--update-docs` renews. */
  readonly document: string;
  /** As in `2026-11-17`. */
  readonly today: string;
  readonly arguments: readonly string[];
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
  readonly elapsedMs?: () => number;
  /** Bundles these files, so that processes start sooner, and returns the path of each bundled form. */
  readonly bundle?: (files: readonly string[]) => Promise<(file: string) => string>;
}

/** `bench` and `prove` are the same command over different folders. Returns the exit code. */
export async function runCommand(options: CommandOptions): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...options.arguments],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'update-docs': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      'must-run': { type: 'boolean', default: false },
      minutes: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const suites = await loadSuites(options);
  if (values.help || (positionals.length === 0 && !values.all)) {
    listSuites(options, suites);
    return 0;
  }
  const allOfRun = suites.filter(({ suite }) => !(values.quick && suite.nightly === true));
  const fault = describeWrongOptions(values);
  const chosen = fault ?? (values.all ? allOfRun : chooseSuites(suites, positionals));
  if (typeof chosen === 'string') {
    options.note(chosen);
    return 2;
  }
  // Suites start hundreds of processes: each reuses the code that an earlier one compiled.
  process.env['NODE_COMPILE_CACHE'] ??= join(options.root, 'node_modules/.cache/compiled');
  const results = await runSuites(chosen, {
    kind: options.name,
    quick: values.quick,
    ...(values.minutes !== undefined && { minutes: Number(values.minutes) }),
    root: options.root,
    onStart: (suite) => {
      if (!values.json) options.print(`\n${suite.name}: ${suite.summary}`);
    },
    onFigure: (figure) => options.print(values.json ? JSON.stringify(figure) : figureLine(figure)),
    onNote: (text) => options.note(`  ${text}`),
    measureTwice: options.name === 'bench' && values.all && values.quick,
    elapsedMs: options.elapsedMs ?? (() => performance.now()),
    onEnd: ({ suite, seconds }) => options.note(`  ${suite.name} took ${seconds.toFixed(1)} s`),
  });
  const tables = join(options.root, 'evidence', options.name);
  await writeTables(
    tables,
    results,
    `npm run ${options.name} -- …${values.quick ? ' --quick' : ''}, ${options.today}`,
  );
  options.note(`full tables: ${tables}`);
  if (values['update-docs']) {
    const text = await readFile(options.document, 'utf8');
    await writeFile(options.document, replaceRows(text, options.name, options.today, results));
  }
  return report(options, results, {
    mustRun: values['must-run'],
    secondsMax: values.all && values.quick ? quickSecondsMax : Infinity,
  });
}

function describeWrongOptions(given: {
  readonly quick: boolean;
  readonly minutes?: string | undefined;
  readonly 'update-docs': boolean;
}): string | null {
  if (!(Number(given.minutes ?? 1) > 0)) return `--minutes is a number above 0, not ${given.minutes}`;
  if ((given.quick || given.minutes !== undefined) && given['update-docs'])
    return '--update-docs records full runs: leave out --quick and --minutes';
  return null;
}

function report(
  options: CommandOptions,
  results: readonly SuiteResult[],
  { mustRun, secondsMax }: { readonly mustRun: boolean; readonly secondsMax: number },
): number {
  const figures: readonly Figure[] = results.flatMap((result) => result.figures);
  for (const { suite, notRun, skipped, crashed } of results) {
    if (notRun !== null) options.note(`DID NOT RUN: ${suite.name}: ${notRun}`);
    if (skipped !== null) options.note(`skipped: ${suite.name}: ${skipped}`);
    if (crashed !== null) options.note(`FAILED: ${suite.name} crashed: ${crashed}`);
  }
  for (const figure of figures) {
    if (figure.holds === false)
      options.note(`${figure.fails ? 'FAILED' : 'below its goal'}: ${figureLine(figure).trim()}`);
  }
  const failed = figures.filter((figure) => figure.fails).length;
  const slow = results.filter(({ secondsAtRest }) => secondsAtRest > secondsMax);
  for (const { suite, secondsAtRest } of slow) {
    options.note(
      `FAILED: ${suite.name} would take ${secondsAtRest.toFixed(1)} s on a machine at rest; --all --quick allows ${secondsMax} s`,
    );
  }
  if (results.length > 1) {
    options.note('\nseconds of each suite:');
    for (const line of costTable(results.map(({ suite, seconds }) => [suite.name, seconds])))
      options.note(line);
  }
  const crashed = results.filter((result) => result.crashed !== null).length;
  const notRun = results.filter((result) => result.notRun !== null).length;
  const skipped = results.filter((result) => result.skipped !== null).length;
  options.note(
    `${options.name}: ${figures.length - failed} figures passed, ${failed} failed, ${crashed} suites crashed, ` +
      `${slow.length} took too long, ${notRun} did not run, ${skipped} skipped`,
  );
  return failed + crashed + slow.length > 0 || (mustRun && notRun > 0) ? 1 : 0;
}

function listSuites(options: CommandOptions, suites: readonly LoadedSuite[]): void {
  options.print(
    `npm run ${options.name} -- <suite>… | --all   [--quick] [--minutes <n>] [--json] [--update-docs] [--must-run]\n`,
  );
  const width = Math.max(0, ...suites.map(({ suite }) => suite.name.length));
  for (const { suite } of suites) options.print(`  ${suite.name.padEnd(width)}  ${suite.summary}`);
}

function chooseSuites(
  suites: readonly LoadedSuite[],
  names: readonly string[],
): readonly LoadedSuite[] | string {
  const chosen: LoadedSuite[] = [];
  for (const name of names) {
    const found = suites.find(({ suite }) => suite.name === name);
    if (found === undefined)
      return `no suite named ${name}. Choose one of: ${suites.map(({ suite }) => suite.name).join(', ')}`;
    chosen.push(found);
  }
  return chosen;
}

async function loadSuites({ suitesFolder, bundle }: CommandOptions): Promise<readonly LoadedSuite[]> {
  const folder = fileURLToPath(suitesFolder);
  const files = (await readdir(folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file));
  const bundled = await bundle?.(files);
  return Promise.all(
    files.map(async (file) => {
      const address = pathToFileURL(bundled?.(file) ?? file).href;
      const { suite } = (await import(address)) as Partial<LoadedSuite>;
      if (suite === undefined) throw new Error(`${file} exports no suite`);
      return { suite, file: address };
    }),
  );
}

import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { updateDocument } from './document.ts';
import type { Figure } from './figure.ts';
import { figureLine } from './print.ts';
import type { Suite, SuiteResult } from './suite.ts';
import { runSuite } from './suite.ts';

export interface CommandOptions {
  readonly name: 'bench' | 'prove';
  readonly suitesFolder: URL;
  /** Repository root, where `docs/` lies. */
  readonly root: string;
  readonly document: string;
  readonly arguments: readonly string[];
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
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
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const suites = await loadSuites(options.suitesFolder);
  if (values.help || (positionals.length === 0 && !values.all)) {
    listSuites(options, suites);
    return 0;
  }
  const chosen = values.all ? suites : chooseSuites(suites, positionals);
  if (typeof chosen === 'string') {
    options.note(chosen);
    return 2;
  }
  const results: SuiteResult[] = [];
  for (const suite of chosen) {
    if (!values.json) options.print(`\n${suite.name}: ${suite.summary}`);
    results.push(
      await runSuite(suite, {
        kind: options.name,
        quick: values.quick,
        root: options.root,
        onFigure: (figure) => options.print(values.json ? JSON.stringify(figure) : figureLine(figure)),
        onNote: (text) => options.note(`  ${text}`),
      }),
    );
  }
  if (values['update-docs']) await updateDocument(options.document, results);
  return report(options, results);
}

function report(options: CommandOptions, results: readonly SuiteResult[]): number {
  const figures: readonly Figure[] = results.flatMap((result) => result.figures);
  for (const { suite, notRun } of results) {
    if (notRun !== null) options.note(`DID NOT RUN: ${suite.name}: ${notRun}`);
  }
  for (const figure of figures) {
    if (figure.holds === false)
      options.note(`${figure.fails ? 'FAILED' : 'below its goal'}: ${figureLine(figure).trim()}`);
  }
  const failed = figures.filter((figure) => figure.fails).length;
  const skipped = results.filter((result) => result.notRun !== null).length;
  options.note(
    `${options.name}: ${figures.length - failed} figures passed, ${failed} failed, ${skipped} suites did not run`,
  );
  return failed > 0 ? 1 : 0;
}

function listSuites(options: CommandOptions, suites: readonly Suite[]): void {
  options.print(`npm run ${options.name} -- <suite>… | --all   [--quick] [--json] [--update-docs]\n`);
  const width = Math.max(0, ...suites.map((suite) => suite.name.length));
  for (const suite of suites) options.print(`  ${suite.name.padEnd(width)}  ${suite.summary}`);
}

function chooseSuites(suites: readonly Suite[], names: readonly string[]): readonly Suite[] | string {
  const chosen: Suite[] = [];
  for (const name of names) {
    const suite = suites.find((candidate) => candidate.name === name);
    if (suite === undefined)
      return `no suite named ${name}; there are: ${suites.map((one) => one.name).join(', ')}`;
    chosen.push(suite);
  }
  return chosen;
}

async function loadSuites(folder: URL): Promise<readonly Suite[]> {
  const files = (await readdir(folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  return Promise.all(
    files.map(async (file) => {
      const module = (await import(new URL(file, folder).href)) as { suite?: Suite };
      if (module.suite === undefined) throw new Error(`${file} exports no suite`);
      return module.suite;
    }),
  );
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Figure } from './figure.ts';
import { watchStolenShare } from './stolen-time.ts';
import type { Suite, SuiteOptions, SuiteResult } from './suite.ts';
import { runSuite, swaysWithMachine } from './suite.ts';

export interface LoadedSuite {
  readonly suite: Suite;
  /** Address of the module that exports it. */
  readonly file: string;
}

/** What a process needs to know to run one suite. */
export type SuiteRun = Pick<SuiteOptions, 'kind' | 'quick' | 'minutes' | 'root'> & { readonly file: string };

/** Which suites may run at once: as many as a small machine has cores. */
const lanes = 2;

export interface SuiteRunOptions extends SuiteOptions {
  readonly onStart: (suite: Suite) => void;
  readonly onEnd: (result: SuiteResult) => void;
  /** One whose ratios, times or sizes fail is measured once more, and the second time counts. */
  readonly measureTwice: boolean;
  readonly elapsedMs: () => number;
}

/**
 * Suites that measure no time run first, two at a time, each in its own process; their results are printed when they
 * end, so that lines of two suites do not mix. The others run alone on the machine.
 */
export async function runSuites(
  loaded: readonly LoadedSuite[],
  options: SuiteRunOptions,
): Promise<readonly SuiteResult[]> {
  const results = new Map<Suite, SuiteResult>();
  const keep = (result: SuiteResult): void => {
    results.set(result.suite, result);
    options.onEnd(result);
  };
  const untimed = loaded.length > 1 ? loaded.filter(({ suite }) => suite.measuresNoTime === true) : [];
  const queue = [...untimed];
  const workLane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const outcome = await runInProcess(next, options);
      options.onStart(next.suite);
      for (const note of outcome.notes) options.onNote(note);
      for (const figure of outcome.result.figures) options.onFigure(figure);
      keep(outcome.result);
    }
  };
  await Promise.all(Array.from({ length: lanes }, workLane));
  for (const { suite } of loaded.filter((one) => !untimed.includes(one))) {
    options.onStart(suite);
    const first = await runHere(suite, options);
    if (options.measureTwice && mayBeNoise(first)) {
      options.onNote(`${suite.name} failed after ${first.seconds.toFixed(1)} s and is measured once more`);
      keep(await runHere(suite, options));
    } else keep(first);
  }
  return loaded.flatMap(({ suite }) => results.get(suite) ?? []);
}

function mayBeNoise({ figures, crashed }: SuiteResult): boolean {
  const failed = figures.filter(({ fails }) => fails);
  return crashed === null && failed.length > 0 && failed.every(swaysWithMachine);
}

async function runHere(suite: Suite, options: SuiteRunOptions): Promise<SuiteResult> {
  const taken = watchSeconds(options, 1);
  const figures: Figure[] = [];
  const onFigure = (figure: Figure): void => {
    figures.push(figure);
    options.onFigure(figure);
  };
  try {
    const { notRun, skipped } = await runSuite(suite, { ...options, onFigure });
    return { suite, figures, notRun, skipped, crashed: null, ...taken() };
  } catch (error) {
    const crashed = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { suite, figures, notRun: null, skipped: null, crashed, ...taken() };
  }
}

function watchSeconds(
  { elapsedMs }: Pick<SuiteRunOptions, 'elapsedMs'>,
  sideBySide: number,
): () => Pick<SuiteResult, 'seconds' | 'secondsAtRest'> {
  const startedAt = elapsedMs();
  const stolenShare = watchStolenShare();
  return () => {
    const seconds = (elapsedMs() - startedAt) / 1_000;
    return { seconds, secondsAtRest: (seconds * (1 - stolenShare())) / sideBySide };
  };
}

type Ending = Pick<SuiteResult, 'notRun' | 'skipped'>;
type Message = { readonly figure: Figure } | { readonly note: string } | Ending;

async function runInProcess(
  { suite, file }: LoadedSuite,
  { kind, quick, minutes, root, elapsedMs }: SuiteRunOptions,
): Promise<{ readonly result: SuiteResult; readonly notes: readonly string[] }> {
  const taken = watchSeconds({ elapsedMs }, lanes);
  const run: SuiteRun = { file, kind, quick, ...(minutes !== undefined && { minutes }), root };
  const program = fileURLToPath(new URL('suite-process.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(run)], { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const [figures, notes, errors]: [Figure[], string[], string[]] = [[], [], []];
  let ending: Ending = { notRun: null, skipped: null };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  child.on('message', (message: Message) => {
    if ('figure' in message) figures.push(message.figure);
    else if ('note' in message) notes.push(message.note);
    else ending = message;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const crashed = code === 0 ? null : `ended with ${code ?? 'a signal'}\n${errors.join('')}`;
  return {
    result: { suite, figures, ...ending, crashed, ...taken() },
    notes,
  };
}

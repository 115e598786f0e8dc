import { dataPath, describeMissingData, hasDataFolder } from './data-sets.ts';
import type { Figure, FigureInput, RatioInput } from './figure.ts';
import { goalText, meets } from './figure.ts';
import { ratioInterval } from './statistics.ts';

/** How far below its goal a ratio may fall before a shared machine stops being an explanation. */
const ratioSlack = 0.15;
/** Absolute times and sizes depend on the machine: a benchmark only fails where it is off by more than this factor. */
const absoluteSlack = 2;
const absoluteUnits: ReadonlySet<string> = new Set(['ns', 'µs', 'ms', 's', 'MB', 'MiB']);

/** Every file in a `suites/` folder exports one of these as `suite`; the folder is the list. */
export interface Suite {
  readonly name: string;
  /** For the listing; of a proof, the guarantee in one sentence, which docs/guarantees.md shows. */
  readonly summary: string;
  /** The promise and its measurement, for the full table. */
  readonly promise: string;
  /** Start of the name of the figure that docs/guarantees.md shows; otherwise it shows the first. */
  readonly headline?: string;
  /** No figure depends on the speed of the machine, so another suite may run at the same time. */
  readonly measuresNoTime?: true;
  /** Needs a quiet machine, or guards only what other suites and tests guard: left out of `--all --quick`. */
  readonly nightly?: true;
  /** Files and folders of third parties that it reads: without the folder that contains them, the suite is skipped. */
  readonly dataSets?: readonly string[];
  readonly run: (context: SuiteContext) => Promise<void>;
}

export interface SuiteContext {
  /** Seconds instead of minutes: the same checks on less work. */
  readonly quick: boolean;
  /** How long a suite with a chosen duration should run instead of its full time; null without `--minutes`. */
  readonly minutes: number | null;
  /** Repository root. */
  readonly root: string;
  /** Where one of the suite's data sets is. */
  readonly data: (dataSet: string) => string;
  readonly figure: (input: FigureInput) => void;
  readonly ratio: (input: RatioInput) => void;
  /** A line for the person who watches; goes to standard error. */
  readonly note: (text: string) => void;
  /** The suite cannot run here; printed and counted, and a failure with `--must-run`. */
  readonly didNotRun: (reason: string) => void;
}

export interface SuiteResult {
  readonly suite: Suite;
  readonly figures: readonly Figure[];
  readonly notRun: string | null;
  /** The data sets that this machine does not have; no failure, also with `--must-run`. */
  readonly skipped: string | null;
  /** The error it threw; earlier results remain valid. */
  readonly crashed: string | null;
  readonly seconds: number;
  /** Of these, the time it would have taken on an idle machine: alone, and with all the time of its cores. */
  readonly secondsAtRest: number;
}

export interface SuiteOptions {
  /** Guarantees are exact; measurements vary with the machine. */
  readonly kind: 'bench' | 'prove';
  readonly quick: boolean;
  readonly minutes?: number;
  readonly root: string;
  readonly onFigure: (figure: Figure) => void;
  readonly onNote: (text: string) => void;
}

/** The interface between a suite and the output: tests run suites through it as well. */
export async function runSuite(
  suite: Suite,
  options: SuiteOptions,
): Promise<Pick<SuiteResult, 'figures' | 'notRun' | 'skipped'>> {
  const figures: Figure[] = [];
  const missing = describeMissingData(options.root, suite.dataSets ?? []);
  if (missing !== null)
    return hasDataFolder(options.root)
      ? { figures, notRun: missing, skipped: null }
      : { figures, notRun: null, skipped: missing };
  let notRun: string | null = null;
  const keep = (figure: Figure): void => {
    figures.push(figure);
    options.onFigure(figure);
  };
  await suite.run({
    quick: options.quick,
    minutes: options.minutes ?? null,
    root: options.root,
    data: (dataSet) => dataPath(options.root, dataSet),
    note: options.onNote,
    didNotRun: (reason) => {
      notRun = reason;
    },
    figure: (input) => keep(plainFigure(suite.name, input, options.kind)),
    ratio: (input) => keep(ratioFigure(suite.name, input)),
  });
  return { figures, notRun, skipped: null };
}

function plainFigure(suite: string, input: FigureInput, kind: 'bench' | 'prove'): Figure {
  const holds = input.goal === undefined ? null : meets(input.goal, input.value);
  return {
    suite,
    name: input.name,
    value: input.value,
    unit: input.unit,
    bare: null,
    ratio: null,
    interval: null,
    goal: input.goal === undefined ? null : goalText(input.goal),
    holds,
    isRecorded: input.isRecorded === true,
    fails: holds === false && !(kind === 'bench' && (isNear(input) || isAsReached(input))),
  };
}

function isAsReached({ value, goal, reached }: FigureInput): boolean {
  if (goal === undefined || reached === undefined) return false;
  return 'atLeast' in goal ? value >= reached : value <= reached;
}

function isNear({ value, unit, goal }: FigureInput): boolean {
  return (
    goal !== undefined && 'atMost' in goal && absoluteUnits.has(unit) && value <= goal.atMost * absoluteSlack
  );
}

/** Passes when the median reaches the goal; it fails only when its interval does not reach goal ± slack. */
function ratioFigure(suite: string, input: RatioInput): Figure {
  const { middle, interval } = ratioInterval(input.ours, input.bare);
  const { goal } = input;
  let holds: boolean | null = null;
  let fails = false;
  if (goal !== undefined) {
    holds = meets(goal, middle);
    const guarded = input.reached ?? ('atLeast' in goal ? goal.atLeast : goal.atMost);
    fails = 'atLeast' in goal ? interval[1] < guarded - ratioSlack : interval[0] > guarded + ratioSlack;
  }
  return {
    suite,
    name: input.name,
    value: average(input.ours),
    unit: input.unit,
    bare: average(input.bare),
    ratio: middle,
    interval,
    goal: goal === undefined ? null : goalText(goal),
    holds,
    fails,
    isRecorded: false,
  };
}

/** A ratio, growth, time or size: where it fails, other work on the machine may be why. Not counts. */
export function swaysWithMachine({ ratio, unit }: Figure): boolean {
  return ratio !== null || unit === '×' || absoluteUnits.has(unit);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import type { ArticleStep, ArticleVersion } from './article-workflow.ts';
import { articleSteps } from './article-workflow.ts';
import type { Fault } from './fault-schedule.ts';

/** A process's mark of a step, and when the database stored it. */
export interface Mark {
  readonly workflow: string;
  readonly step: ArticleStep;
  readonly process: number;
  readonly version: ArticleVersion;
  readonly kind: 'start' | 'end' | 'fallback';
  readonly atMs: number;
}

/** The clock of the suite and that of the database's answer differ by a journey. */
const toleranceMs = 1_000;

export interface Repeats {
  /** The fault fell into that very step. */
  readonly inside: number;
  readonly outside: readonly string[];
  /** Begun again because no process of the version that had begun it was left. */
  readonly inAnotherVersion: number;
}

/**
 * A step that began twice in one version is excused only if its first process was struck while it was at this step. In
 * another version a workflow starts again; `readVersionEvidence` checks whether it may.
 */
export function classifyRepeats(marks: readonly Mark[], faults: readonly Fault[]): Repeats {
  const struck = firstStrikes(faults);
  let [inside, inAnotherVersion] = [0, 0];
  const outside: string[] = [];
  for (const [workflow, own] of groupByWorkflow(marks)) {
    const begun = own.filter((mark) => mark.kind === 'start');
    for (const starts of Map.groupBy(begun, ({ step }) => step).values()) {
      for (const [index, start] of starts.entries()) {
        const next = starts[index + 1];
        if (next === undefined) continue;
        if (next.version !== start.version) inAnotherVersion += 1;
        else if (fellInside(start, own, struck.get(start.process))) inside += 1;
        else outside.push(`${workflow} ${start.step} in process ${start.process}`);
      }
    }
  }
  return { inside, outside, inAnotherVersion };
}

function fellInside(start: Mark, own: readonly Mark[], strike: Fault | undefined): boolean {
  if (strike === undefined) return false;
  // A process continues for a while after the signal to end.
  const [fromMs, toMs] = [strike.atMs, strike.endedAtMs ?? strike.atMs];
  if (start.atMs > toMs + toleranceMs) return false;
  const sameProcess = own.filter((mark) => mark.process === start.process);
  const end = sameProcess.find((mark) => mark.step === start.step && mark.kind === 'end');
  if (end !== undefined && end.atMs < fromMs - toleranceMs) return false;
  const steps = articleSteps[start.version];
  const order = steps.indexOf(start.step);
  return !sameProcess.some((mark) => steps.indexOf(mark.step) > order && mark.atMs <= toMs);
}

export interface Ending {
  readonly workflow: string;
  readonly process: number | null;
  readonly atMs: number;
}

export interface Takeover {
  readonly kind: Fault['kind'];
  readonly waitedMs: number;
}

/** A process regains its lock after these and continues. */
const survived: ReadonlySet<Fault['kind']> = new Set(['restart database', 'cut lock session']);

/** For each workflow that was running in a process that ended or froze: how long until another process went on with it. */
export function findTakeovers(
  marks: readonly Mark[],
  endings: ReadonlyMap<string, Ending>,
  faults: readonly Fault[],
): readonly Takeover[] {
  const struck = firstStrikes(faults.filter(({ kind }) => !survived.has(kind)));
  const takeovers: Takeover[] = [];
  for (const [workflow, own] of groupByWorkflow(marks)) {
    const ending = endings.get(workflow);
    for (const process of new Set(own.map((mark) => mark.process))) {
      const strike = struck.get(process);
      if (strike === undefined || ending === undefined || ending.process === process) continue;
      const next = own.find((mark) => mark.process !== process && mark.atMs > strike.atMs);
      const heldAtStrike = own.findLast((mark) => mark.atMs <= strike.atMs)?.process === process;
      if (!heldAtStrike) continue;
      takeovers.push({
        kind: strike.kind,
        waitedMs: Math.min(next?.atMs ?? Infinity, ending.atMs) - strike.atMs,
      });
    }
  }
  return takeovers;
}

function firstStrikes(faults: readonly Fault[]): ReadonlyMap<number, Fault> {
  const strikes = new Map<number, Fault>();
  for (const fault of faults) {
    for (const process of fault.processes) if (!strikes.has(process)) strikes.set(process, fault);
  }
  return strikes;
}

function groupByWorkflow(marks: readonly Mark[]): ReadonlyMap<string, readonly Mark[]> {
  return Map.groupBy(marks, (mark) => mark.workflow);
}

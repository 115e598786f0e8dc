import type { ArticleStep } from './article-workflow.ts';
import { articleSteps } from './article-workflow.ts';
import type { Fault } from './fault-schedule.ts';

/** What a process wrote down about a step, and when the database heard it. */
export interface Mark {
  readonly workflow: string;
  readonly step: ArticleStep;
  readonly process: number;
  readonly kind: 'start' | 'end' | 'fallback';
  readonly atMs: number;
}

/** The clock of the suite and that of the database's answer differ by a journey. */
const toleranceMs = 1_000;

export interface Repeats {
  /** The fault fell into that very step. */
  readonly inside: number;
  readonly outside: readonly string[];
}

/** A step that began twice is excused only if its first process was struck while it was at this step. */
export function classifyRepeats(marks: readonly Mark[], faults: readonly Fault[]): Repeats {
  const struck = firstStrikes(faults);
  let inside = 0;
  const outside: string[] = [];
  for (const [workflow, own] of groupByWorkflow(marks)) {
    for (const step of articleSteps) {
      const starts = own.filter((mark) => mark.step === step && mark.kind === 'start');
      for (const start of starts.slice(0, -1)) {
        if (fellInside(start, own, struck.get(start.process)?.atMs)) inside += 1;
        else outside.push(`${workflow} ${step} in process ${start.process}`);
      }
    }
  }
  return { inside, outside };
}

function fellInside(start: Mark, own: readonly Mark[], struckAtMs: number | undefined): boolean {
  if (struckAtMs === undefined || start.atMs > struckAtMs + toleranceMs) return false;
  const sameProcess = own.filter((mark) => mark.process === start.process);
  const end = sameProcess.find((mark) => mark.step === start.step && mark.kind === 'end');
  if (end !== undefined && end.atMs < struckAtMs - toleranceMs) return false;
  const order = articleSteps.indexOf(start.step);
  return !sameProcess.some((mark) => articleSteps.indexOf(mark.step) > order && mark.atMs <= struckAtMs);
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

/** For each workflow that was running in a struck process: how long until another process went on with it. */
export function findTakeovers(
  marks: readonly Mark[],
  endings: ReadonlyMap<string, Ending>,
  faults: readonly Fault[],
): readonly Takeover[] {
  const struck = firstStrikes(faults);
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

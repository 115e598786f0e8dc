import type { callers } from '../../access/index.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, temporalInstant } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { AgentId } from '../agents/agent.ts';
import type { AnswerId } from '../answers/answer.ts';

export type ScheduleId = Id<'schedule'>;
export type RunId = Id<'schedule run'>;

export const repetitions = ['daily', 'weekdays', 'weekly'] as const;

/** When a question is asked: at an hour of the clock in a time zone. */
export interface Timetable {
  readonly repeats: (typeof repetitions)[number];
  /** 1 is Monday; null unless it repeats weekly. */
  readonly weekday: number | null;
  readonly hour: number;
  /** A name of the IANA database. */
  readonly timeZone: string;
}

export interface Destination {
  /** The project for the files; null: answers are mailed to the member. */
  readonly projectId: string | null;
}

/** Why a schedule has stopped by itself. */
export const stopReasons = ['member_left', 'permission_lost', 'agent_deleted', 'project_deleted'] as const;
export type StopReason = (typeof stopReasons)[number];

export const runStates = ['waiting', 'running', 'delivered', 'failed', 'stopped'] as const;
export type RunState = (typeof runStates)[number];

/** Why a run failed, or is tried again. */
export const runProblems = [
  'budget_exhausted',
  'storage_full',
  'busy',
  'interrupted',
  'refused',
  'error',
  ...stopReasons,
] as const;
export type RunProblem = (typeof runProblems)[number];

export interface NewSchedule extends Timetable, Destination {
  readonly name: string;
  readonly question: string;
}

export interface Schedule extends NewSchedule {
  readonly id: ScheduleId;
  readonly agentId: AgentId;
  /** When it was scheduled: the agent may be deleted since. */
  readonly agentName: string;
  readonly accountId: accounts.AccountId;
  readonly createdAt: EpochMicroseconds;
  /** Null after it has stopped. */
  readonly nextRunAt: EpochMicroseconds | null;
  readonly stopped: { readonly at: EpochMicroseconds; readonly reason: StopReason } | null;
  readonly lastRun: LastRun | null;
}

export interface LastRun {
  readonly dueAt: EpochMicroseconds;
  readonly state: RunState;
  readonly problem: RunProblem | null;
  readonly settledAt: EpochMicroseconds | null;
  readonly answerId: AnswerId | null;
  readonly fileId: string | null;
}

/** Where runs write files: the storage of the installation, with the permissions of the caller. */
export interface ScheduleFiles {
  /** Whether the project exists in the organization and is not in the trash, for any caller. */
  readonly isProject: (organization: callers.Organization, projectId: string) => Promise<boolean>;
  /** Raises if the caller may not create a file of this name in the project. */
  readonly requireWritable: (caller: callers.Caller, projectId: string, name: string) => Promise<void>;
  /** Reserves the space of a file; returns the id of the upload. */
  readonly reserve: (
    caller: callers.Caller,
    file: { readonly projectId: string; readonly name: string; readonly size: number },
  ) => Promise<string>;
  /** Returns the id of the file. */
  readonly store: (
    caller: callers.Caller,
    uploadId: string,
    content: Buffer,
    signal: AbortSignal,
  ) => Promise<string>;
  /** The file of an upload that an interrupted run has begun; null if it has none, and gets none any more. */
  readonly settle: (caller: callers.Caller, uploadId: string) => Promise<string | null>;
}

/** The name of a file; storage numbers names that are taken. */
export function fileNameOf({ name }: Pick<Schedule, 'name'>, day: string): string {
  return `${name.replaceAll(/[/\\]/gu, '-')} ${day}.md`;
}

/** Only names: an offset such as `+08:00` has no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/u.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The day in the time zone of a timetable. */
export function dayOf({ timeZone }: Pick<Timetable, 'timeZone'>, at: EpochMicroseconds): string {
  return temporalInstant(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The first due time after a moment. An hour that a change of clocks skips is due an hour later. */
export function nextDueAfter(timetable: Timetable, after: EpochMicroseconds): EpochMicroseconds {
  const due = dueTimes(timetable, after, 1).find((time) => time > after);
  if (due === undefined) throw new RangeError('a timetable has a due time in each week');
  return due;
}

/** The last due time at or before a moment. */
export function lastDueAt(timetable: Timetable, at: EpochMicroseconds): EpochMicroseconds {
  const due = dueTimes(timetable, at, -1).find((time) => time <= at);
  if (due === undefined) throw new RangeError('a timetable has a due time in each week');
  return due;
}

/** Of the day of a moment and the days after or before it, for more than a week. */
function dueTimes(
  { repeats, weekday, hour, timeZone }: Timetable,
  at: EpochMicroseconds,
  direction: 1 | -1,
): readonly EpochMicroseconds[] {
  const today = temporalInstant(at).toZonedDateTimeISO(timeZone).toPlainDate();
  const days = Array.from({ length: 9 }, (_, days) => today.add({ days: direction * days }));
  const isDue = ({ dayOfWeek }: Temporal.PlainDate): boolean => {
    if (repeats === 'weekly') return dayOfWeek === weekday;
    return repeats === 'daily' || dayOfWeek <= 5;
  };
  return days.filter(isDue).map((day) => {
    const moment = day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) });
    return epochMicroseconds(moment.epochNanoseconds / 1_000n);
  });
}

import type { EditionSet, QueueDeclaration, RecurringTask } from './engine-declarations.ts';

/** More than one, so that a task that hangs does not block the others. */
const maintenance: QueueDeclaration = { name: 'maintenance', runningMax: 4 };

/** The current period is the one edition that should exist. */
export function editionSetOf(task: RecurringTask): EditionSet {
  const { name, every, version, queue = maintenance, retryAfterMs } = task;
  if (typeof every === 'object' && 60 % every.minutes !== 0) {
    throw new RangeError(`recurring task ${name}: ${every.minutes} minutes do not divide the hour`);
  }
  return {
    name,
    due: (nowMs) => [periodLabel(every, nowMs)],
    workflow: { name, queue, run: (context) => task.run(context), ...(version && { version }) },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const labelLength = { hour: 'YYYY-MM-DDTHH'.length, day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length };

function periodLabel(every: RecurringTask['every'], nowMs: number): string {
  if (typeof every === 'string') return isoText(nowMs).slice(0, labelLength[every]);
  const periodMs = every.minutes * 60_000;
  return isoText(nowMs - (nowMs % periodMs)).slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

function isoText(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString();
}

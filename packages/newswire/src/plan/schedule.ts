import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';

/** How many dispatches and new threads each hour brings. */
export interface Schedule {
  readonly seed: number;
  readonly hours: number;
  readonly endsAt: Micros;
  hourStart: (hour: number) => Micros;
  hourOf: (at: Micros) => number;
  /** Dispatches due in an hour, of all roles. */
  dispatchesIn: (hour: number) => number;
  threadsIn: (hour: number) => number;
  roundupsIn: (hour: number) => number;
}

/** How busy each UTC hour is: mornings in East Asia, then in Europe and America. */
const rhythm = [5, 7, 8, 8, 6, 5, 6, 7, 7, 6, 5, 5, 5, 7, 8, 8, 7, 6, 5, 4, 3, 2, 2, 3];
const wholeDay = rhythm.reduce((sum, weight) => sum + weight, 0);

/** Shares of all dispatches that belong to stories and that are roundups; the rest are single items. */
const storyShare = 0.52;
const roundupShare = 0.02;

/** Average dispatches that one thread brings, as planned in thread-plan.ts. */
const dispatchesPerThread = 6.5;

export function createSchedule(settings: {
  readonly seed: number;
  readonly startsAt: Micros;
  readonly days: number;
  readonly itemsPerDay: number;
}): Schedule {
  const { seed, startsAt, days, itemsPerDay } = settings;
  const before: number[] = [0];
  for (const weight of rhythm) before.push((before.at(-1) ?? 0) + weight / wholeDay);
  const dueBy = (hour: number, share: number): number =>
    Math.floor((Math.floor(hour / 24) + (before[hour % 24] ?? 0)) * itemsPerDay * share + 1e-6);
  const dueIn = (hour: number, share: number): number => dueBy(hour + 1, share) - dueBy(hour, share);
  return {
    seed,
    hours: days * 24,
    endsAt: startsAt + days * 24 * microsPerHour,
    hourStart: (hour) => startsAt + hour * microsPerHour,
    hourOf: (at) => Math.floor((at - startsAt) / microsPerHour),
    dispatchesIn: (hour) => dueIn(hour, 1),
    threadsIn: (hour) => dueIn(hour, storyShare / dispatchesPerThread),
    roundupsIn: (hour) => dueIn(hour, roundupShare),
  };
}

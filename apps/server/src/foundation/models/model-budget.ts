import { dayMs, hourMs } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { createStrictLimiter } from '../limits/strict-limiter.ts';
import type { ModelBudget } from './model-calls.ts';

export interface ModelBudgetOptions {
  readonly database: Database;
  readonly callsPerDay: number;
  /** In place of the share of the day's calls, for tests. */
  readonly callsPerMinute?: number;
  readonly callsPerHour?: number;
  /** Instead of the database's clock, for tests. */
  readonly now?: () => string;
}

/** What one hour and one minute may take of the calls of a day: a flood of news leaves most of it. */
const shareOfHour = 0.12;
const shareOfMinute = 0.006;

/** Sliding windows shared by all processes. The shortest is asked first, so that a refusal costs the longer ones nothing. */
export function createModelBudget(options: ModelBudgetOptions): ModelBudget {
  const { database, now, callsPerDay } = options;
  const windows = (
    [
      ['minute', options.callsPerMinute ?? Math.ceil(callsPerDay * shareOfMinute), 60_000],
      ['hour', options.callsPerHour ?? Math.ceil(callsPerDay * shareOfHour), hourMs],
      ['day', callsPerDay, dayMs],
    ] as const
  ).map(([name, admittedMax, windowMs]) =>
    createStrictLimiter({
      database,
      name: `model calls a ${name}`,
      admittedMax,
      windowMs,
      ...(now && { now }),
    }),
  );
  return {
    take: async () => {
      for (const window of windows) {
        const admission = await window.admit('all');
        if (!admission.admitted) return { granted: false, retryAfterSeconds: admission.retryAfterSeconds };
      }
      return { granted: true };
    },
  };
}

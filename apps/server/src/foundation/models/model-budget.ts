import { dayMs, hourMs } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { createStrictLimiter } from '../limits/strict-limiter.ts';
import type { ModelBudget } from './model-calls.ts';

export interface ModelBudgetOptions {
  readonly database: Database;
  readonly callsPerDay: number;
  /** Replaces the share of the day's calls in tests. */
  readonly callsPerMinute?: number;
  readonly callsPerHour?: number;
  /** Instead of the database's clock, for tests. */
  readonly now?: () => string;
}

/** The share of a day's calls for one hour and one minute: a flood of news leaves most of it. */
const shareOfHour = 0.12;
const shareOfMinute = 0.006;

/** Sliding windows shared by all processes. The shortest is checked first: a refusal uses none of the longer ones. */
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

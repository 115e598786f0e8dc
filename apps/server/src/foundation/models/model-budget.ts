import type { Database } from '../database/database.ts';
import { createStrictLimiter } from '../limits/strict-limiter.ts';
import type { ModelBudget } from './model-calls.ts';

export interface ModelBudgetOptions {
  readonly database: Database;
  readonly callsPerMinute: number;
  readonly callsPerHour: number;
  readonly callsPerDay: number;
  /** Instead of the database's clock, for tests. */
  readonly now?: () => string;
}

/** Sliding windows shared by all processes. The shortest is asked first, so that a refusal costs the longer ones nothing. */
export function createModelBudget(options: ModelBudgetOptions): ModelBudget {
  const { database, now } = options;
  const windows = (
    [
      ['minute', options.callsPerMinute, 60_000],
      ['hour', options.callsPerHour, 3_600_000],
      ['day', options.callsPerDay, 86_400_000],
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

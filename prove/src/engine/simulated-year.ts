import {
  dailyEditionsDue,
  monthlyEditionsDue,
  weeklyEditionsDue,
} from '../../../apps/server/src/foundation/calendar/edition-calendar.ts';
import type { Clock } from '../../../apps/server/src/foundation/clock.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { instantFromMs } from '../../../apps/server/src/foundation/instant.ts';

/** The year 2026 in Shanghai, passing while a run lasts: the same hour on every process. */
export interface SimulatedYear {
  /** When, in real time, the year begins. */
  readonly beginsAtMs: number;
  readonly lastsMs: number;
}

const firstMs = Temporal.Instant.from('2026-01-01T00:00:00+08:00').epochMilliseconds;
const lastMs = Temporal.Instant.from('2027-01-01T00:00:00+08:00').epochMilliseconds;

/** Counted on a wall calendar: 365 days, 52 Mondays, 12 firsts of a month. */
export const editionsOfYear = { daily: 365, weekly: 52, monthly: 12 } as const;
export type EditionKind = keyof typeof editionsOfYear;

export function yearClock(year: SimulatedYear): Clock {
  const nowMs = (): number => {
    const passed = (systemClock.nowMs() - year.beginsAtMs) / year.lastsMs;
    return Math.floor(firstMs + Math.min(1, passed) * (lastMs - firstMs));
  };
  return { nowMs, now: () => instantFromMs(nowMs()) };
}

const dueOf = { daily: dailyEditionsDue, weekly: weeklyEditionsDue, monthly: monthlyEditionsDue } as const;

export function editionsDue(kind: EditionKind, nowMs: number): readonly string[] {
  return dueOf[kind](instantFromMs(firstMs), instantFromMs(Math.max(firstMs, nowMs))).map(
    (label) => `${kind} ${label}`,
  );
}

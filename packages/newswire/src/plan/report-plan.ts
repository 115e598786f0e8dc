import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { Random } from '../random.ts';
import type { Language, Organization, Outlet, Role } from '../report.ts';
import type { Roster } from '../roster/roster.ts';

/** When and where a report appears, before it is worded. */
export interface ReportPlan {
  /** Position in its story, part of its key. */
  readonly index: number;
  readonly role: Role;
  readonly outlet: Outlet;
  readonly translated: boolean;
  readonly discovered: Micros;
  readonly published: Micros | null;
  /** The report that opened its reading group, by index. */
  readonly group: number;
  /** Which of its story's follow-ups the group tells, from 0. */
  readonly ordinal: number;
  /** The report whose figure it denies, by index. */
  readonly against: number | null;
  /** Chooses templates; the same throughout a reading group. */
  readonly shape: number;
  /** Chooses among wordings; each report has its own. */
  readonly wording: number;
}

const minute = microsPerHour / 60;

export function pickOutlet(
  random: Random,
  roster: Roster,
  about: Organization,
  besides: readonly ReportPlan[],
): Outlet {
  const abroad: Language = about.home === 'en' ? 'zh' : 'en';
  for (let attempt = 0; ; attempt += 1) {
    const outlet = random.pick(roster.press[random.chance(0.78) ? about.home : abroad]);
    if (attempt > 20 || !besides.some((report) => report.outlet === outlet)) return outlet;
  }
}

export interface Timing {
  readonly discovered: Micros;
  readonly published: Micros | null;
}

/** A report written at `written` is found by the service minutes later; some sources do not say when they wrote. */
export function timing(random: Random, written: Micros): Timing {
  const discovered = Math.round(written + random.between(1, 45) * minute);
  return { discovered, published: random.chance(0.05) ? null : clockOf(random, written) };
}

/** Found only days after it was written. */
export function lateTiming(random: Random, discovered: Micros): Timing {
  return { discovered, published: clockOf(random, discovered - random.between(73, 900) * microsPerHour) };
}

/** Most sources state whole seconds or minutes. */
function clockOf(random: Random, written: Micros): Micros {
  const draw = random.unit();
  if (draw < 0.3) return Math.floor(written);
  const grain = draw < 0.8 ? 1_000_000 : minute;
  return Math.floor(written / grain) * grain;
}

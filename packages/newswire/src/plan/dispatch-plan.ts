import type { Language, Organization, Outlet, Role } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { microsPerHour } from '../instant.ts';
import type { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import type { Changes } from './changes-plan.ts';

/** When and where a dispatch appears, before it is worded. */
export interface DispatchPlan extends Timing {
  /** Position in its story, part of its key. */
  readonly index: number;
  readonly role: Role;
  readonly outlet: Outlet;
  readonly translated: boolean;
  /** The dispatch that opened its reading group, by index. */
  readonly group: number;
  /** The number of its story's follow-up that the group covers, from 0. */
  readonly ordinal: number;
  /** The dispatch whose figure it denies, by index. */
  readonly against: number | null;
  /** Chooses templates; the same throughout a reading group. */
  readonly shape: number;
  /** Chooses among wordings; each dispatch has its own. */
  readonly wording: number;
  readonly changes: Changes;
}

const minute = microsPerHour / 60;

export function pickOutlet(
  random: Random,
  roster: Roster,
  about: Organization,
  besides: readonly DispatchPlan[],
): Outlet {
  const abroad: Language = about.home === 'en' ? 'zh' : 'en';
  for (let attempt = 0; ; attempt += 1) {
    const outlet = pressOutlet(random, roster, random.chance(0.78) ? about.home : abroad);
    if (attempt > 20 || !besides.some((dispatch) => dispatch.outlet === outlet)) return outlet;
  }
}

/** A very small world may have press in one language only. */
export function pressOutlet(random: Random, roster: Roster, language: Language): Outlet {
  const { [language]: wanted, en } = roster.press;
  return (wanted.members.length > 0 ? wanted : en).draw(random);
}

export interface Timing {
  /** When its publisher puts it online. */
  readonly appears: Micros;
  /** When a newsroom that looks every so often has found it: at most `findingTakesMax` later. */
  readonly discovered: Micros;
  /** What the publisher states; null where it does not say. */
  readonly published: Micros | null;
}

/** How long after it appears a dispatch is found, at most. */
export const findingTakesMax = 45 * minute;

/** A dispatch put online at `appears` is found minutes later; some sources do not say when they wrote. */
export function timing(random: Random, appears: Micros): Timing {
  const online = Math.round(appears);
  const discovered = Math.round(online + random.between(1, 44) * minute);
  return {
    appears: online,
    discovered,
    published: random.chance(0.05) ? null : statedTime(random, online),
  };
}

/** The same, when it is found is given. Some are put online only days after they were written. */
export function timingBefore(random: Random, discovered: Micros, late: boolean): Timing {
  const appears = Math.round(discovered - random.between(1, 44) * minute);
  if (late)
    return {
      appears,
      discovered,
      published: statedTime(random, appears - random.between(73, 900) * microsPerHour),
    };
  return { appears, discovered, published: random.chance(0.05) ? null : statedTime(random, appears) };
}

/** Most sources state whole seconds or minutes. */
function statedTime(random: Random, written: Micros): Micros {
  const draw = random.unit();
  if (draw < 0.3) return Math.floor(written);
  const grain = draw < 0.8 ? 1_000_000 : minute;
  return Math.floor(written / grain) * grain;
}

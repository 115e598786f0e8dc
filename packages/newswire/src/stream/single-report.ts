import { microsPerHour } from '../instant.ts';
import { aloneKinds } from '../kinds/event-kinds.ts';
import { drawCast, makeEvent, statedFacts } from '../plan/event.ts';
import { lateTiming, pickOutlet, timing } from '../plan/report-plan.ts';
import type { Schedule } from '../plan/schedule.ts';
import { Random } from '../random.ts';
import type { Report } from '../report.ts';
import type { Roster } from '../roster/roster.ts';
import { composed, scoreOf, selection } from './story-report.ts';

/** When the nth stand-alone item of an hour is found. A few are found together, at the same microsecond. */
export function singleFoundAt(schedule: Schedule, hour: number, nth: number): number {
  let number = nth;
  while (number > 0 && new Random(schedule.seed, 12, hour, number).chance(0.04)) number -= 1;
  const random = new Random(schedule.seed, 13, hour, number);
  return schedule.hourStart(hour) + Math.floor(random.unit() * microsPerHour);
}

/** Nothing else is ever reported about it. */
export function singleReport(roster: Roster, schedule: Schedule, hour: number, nth: number): Report {
  const random = new Random(schedule.seed, 3, hour, nth);
  const discovered = singleFoundAt(schedule, hour, nth);
  const kind = random.pick(aloneKinds);
  const cast = drawCast(random, roster);
  const blog = kind.announced && random.chance(0.2) ? roster.blogs.get(cast.organization) : undefined;
  const times = random.chance(0.04)
    ? lateTiming(random, discovered)
    : { ...timing(random, discovered - random.between(46, 400) * (microsPerHour / 60)), discovered };
  const plan = {
    role: 'single' as const,
    outlet: blog ?? pickOutlet(random, roster, cast.organization, []),
    translated: random.chance(0.1),
    ...times,
    shape: random.bits(),
  };
  const event = makeEvent(random, {
    kind,
    cast,
    startsAt: plan.published ?? discovered,
    revise: false,
    alone: true,
  });
  const how = {
    role: plan.role,
    tells: plan.role,
    ordinal: 0,
    shape: plan.shape,
    wording: random.bits(),
    source: null,
  };
  const key = `alone-${hour.toString(36)}-${nth.toString(36)}`;
  return {
    ...composed(event, how, plan, key),
    score: scoreOf(plan, 1),
    role: 'single',
    storyKey: null,
    storylineKey: null,
    groupKey: `${key}-g`,
    facts: statedFacts(event, false),
    representative: true,
    ...selection(plan, 'single', true),
  };
}

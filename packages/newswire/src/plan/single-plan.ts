import type { Language, Outlet, OutletShape } from '../dispatch.ts';
import type { EventKind } from '../grammar/event-kind.ts';
import { microsPerHour } from '../instant.ts';
import { aloneKinds } from '../kinds/event-kinds.ts';
import { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import { planChanges } from './changes-plan.ts';
import { keyOf } from './dispatch-code.ts';
import { pickOutlet, timingBefore } from './dispatch-plan.ts';
import { drawCast } from './event.ts';
import type { Schedule } from './schedule.ts';
import type { StoryPlan } from './story-plan.ts';

/** When the nth stand-alone item of an hour is found. A few are found together, at the same microsecond. */
export function singleFoundAt(schedule: Schedule, hour: number, nth: number): number {
  let number = nth;
  while (number > 0 && new Random(schedule.seed, 12, hour, number).chance(0.04)) number -= 1;
  const random = new Random(schedule.seed, 13, hour, number);
  return schedule.hourStart(hour) + Math.floor(random.unit() * microsPerHour);
}

/** No other dispatch covers it. */
export function planSingle(roster: Roster, schedule: Schedule, hour: number, nth: number): StoryPlan {
  const { seed } = schedule;
  const random = new Random(seed, 3, hour, nth);
  const kind = random.pick(aloneKinds);
  const cast = drawCast(random, roster);
  const outlet =
    chooseChannel(random, roster, kind, cast.organization.home) ??
    (kind.announced && random.chance(0.2) ? roster.blogs.get(cast.organization) : undefined) ??
    (kind.name === 'feature' && random.chance(0.25)
      ? roster.repositories.get(cast.organization)
      : undefined) ??
    pickOutlet(random, roster, cast.organization, []);
  const times = timingBefore(random, singleFoundAt(schedule, hour, nth), random.chance(0.04));
  const wording = random.bits();
  const plan = {
    index: 0,
    role: 'single' as const,
    outlet,
    translated: outlet.shape === 'site' && random.chance(0.1),
    ...times,
    group: 0,
    ordinal: 0,
    against: null,
    shape: random.bits(),
    wording,
    changes: planChanges(wording, outlet.shape, times.appears),
  };
  return {
    key: keyOf({ type: 'single', hour, nth }),
    hour,
    nth,
    position: null,
    storylineKey: null,
    twinOf: null,
    merges: null,
    kind,
    cast,
    factSeed: [seed, 17, hour, nth, 0],
    revise: false,
    startsAt: plan.published ?? plan.appears,
    dispatches: [plan],
  };
}

const channelShares: Readonly<Partial<Record<EventKind['name'], readonly [OutletShape, number]>>> = {
  paper: ['preprints', 0.45],
  tip: ['video', 0.2],
  opinion: ['podcast', 0.15],
  feature: ['video', 0.1],
};

function chooseChannel(random: Random, roster: Roster, kind: EventKind, home: Language): Outlet | undefined {
  const [shape, share] = channelShares[kind.name] ?? ['video', 0];
  if (!random.chance(share)) return undefined;
  const channels = roster.channels(shape, shape === 'preprints' ? 'en' : home);
  return channels.length === 0 ? undefined : random.pick(channels);
}

import { microsPerHour } from '../instant.ts';
import { Random } from '../random.ts';
import type { Roster } from '../roster/roster.ts';
import type { DispatchPlan } from './dispatch-plan.ts';
import { pressOutlet, timingBefore } from './dispatch-plan.ts';
import type { Schedule } from './schedule.ts';
import type { StoryPlan } from './story-plan.ts';
import { planThread } from './thread-plan.ts';

/** One dispatch that names three recent stories. */
export interface RoundupPlan {
  readonly plan: DispatchPlan;
  readonly stories: readonly StoryPlan[];
}

const hoursBack = 36;
const attemptsMax = 40;

export function roundupFoundAt(schedule: Schedule, hour: number, nth: number): number {
  const offset = new Random(schedule.seed, 14, hour, nth).unit();
  return schedule.hourStart(hour) + Math.floor(offset * microsPerHour);
}

/** Null while too few stories have appeared. */
export function planRoundup(
  roster: Roster,
  schedule: Schedule,
  hour: number,
  nth: number,
): RoundupPlan | null {
  const random = new Random(schedule.seed, 15, hour, nth);
  const discovered = roundupFoundAt(schedule, hour, nth);
  const outlet = pressOutlet(random, roster, random.chance(0.45) ? 'zh' : 'en');
  const times = timingBefore(random, discovered, false);
  const plan: DispatchPlan = {
    index: 0,
    role: 'roundup',
    outlet,
    translated: false,
    ...times,
    group: 0,
    ordinal: 0,
    against: null,
    shape: random.bits(),
    wording: random.bits(),
    changes: { edits: [], withdrawn: null, vanishes: null },
  };
  const stories = recentStories(random, roster, schedule, { hour, before: times.appears });
  return stories.length < 3 ? null : { plan, stories };
}

function recentStories(
  random: Random,
  roster: Roster,
  schedule: Schedule,
  { hour, before }: { readonly hour: number; readonly before: number },
): StoryPlan[] {
  const found = new Map<string, StoryPlan>();
  for (let attempt = 0; attempt < attemptsMax && found.size < 3; attempt += 1) {
    const begun = hour - random.below(hoursBack);
    const threads = begun < 0 ? 0 : schedule.threadsIn(begun);
    if (threads === 0) continue;
    const [story] = planThread(roster, schedule, begun, random.below(threads));
    const first = story?.dispatches.find(({ role }) => role === 'first');
    if (story !== undefined && first !== undefined && first.discovered < before) found.set(story.key, story);
  }
  return [...found.values()];
}

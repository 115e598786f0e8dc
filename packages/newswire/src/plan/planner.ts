import type { Roster } from '../roster/roster.ts';
import type { DispatchCode, DispatchPlace } from './dispatch-code.ts';
import { codeOf, keyOf, parseKey, placeOf } from './dispatch-code.ts';
import type { DispatchPlan } from './dispatch-plan.ts';
import type { RoundupPlan } from './roundup-plan.ts';
import { planRoundup } from './roundup-plan.ts';
import type { Schedule } from './schedule.ts';
import { planSingle } from './single-plan.ts';
import type { StoryPlan } from './story-plan.ts';
import { planThread } from './thread-plan.ts';

/** A dispatch with all that is needed to word it. */
export type Planned = {
  readonly key: string;
  readonly code: DispatchCode;
  readonly plan: DispatchPlan;
} & (
  | { readonly story: StoryPlan; readonly roundup?: never }
  | { readonly story?: never; readonly roundup: RoundupPlan }
);

const openThreadsMax = 512;

/** Finds any dispatch of a world again by its place. Recently requested threads are cached. */
export class Planner {
  readonly roster: Roster;
  readonly schedule: Schedule;
  readonly #threads = new Map<string, readonly StoryPlan[]>();

  constructor(roster: Roster, schedule: Schedule) {
    this.roster = roster;
    this.schedule = schedule;
  }

  byKey(key: string): Planned | undefined {
    const place = parseKey(key);
    return place === undefined ? undefined : this.#at(place);
  }

  byCode(code: DispatchCode): Planned | undefined {
    const place = placeOf(code);
    return place === undefined ? undefined : this.#at(place);
  }

  /** The thread that a story or dispatch key belongs to; empty without one. */
  thread(hour: number, nth: number): readonly StoryPlan[] {
    if (!(hour < this.schedule.hours) || !(nth < this.schedule.threadsIn(hour))) return [];
    const name = `${hour} ${nth}`;
    let thread = this.#threads.get(name);
    if (thread === undefined) {
      thread = planThread(this.roster, this.schedule, hour, nth);
      const [oldest] = this.#threads.size < openThreadsMax ? [] : this.#threads.keys();
      if (oldest !== undefined) this.#threads.delete(oldest);
      this.#threads.set(name, thread);
    }
    return thread;
  }

  #at(place: DispatchPlace): Planned | undefined {
    const { hour, nth } = place;
    if (place.type === 'story') {
      const story = this.thread(hour, nth)[place.story];
      const plan = story?.dispatches.find(({ index }) => index === place.index);
      return story === undefined || plan === undefined ? undefined : plannedStory(story, plan);
    }
    if (!(hour < this.schedule.hours)) return undefined;
    if (place.type === 'single') return plannedSingle(planSingle(this.roster, this.schedule, hour, nth));
    const roundup = planRoundup(this.roster, this.schedule, hour, nth);
    return roundup === null ? undefined : plannedRoundup(roundup, hour, nth);
  }
}

export function plannedStory(story: StoryPlan, plan: DispatchPlan): Planned {
  const { hour, nth, position } = story;
  const place = { type: 'story', hour, nth, story: position ?? 0, index: plan.index } as const;
  return { key: keyOf(place), code: codeOf(place), plan, story };
}

export function plannedSingle(story: StoryPlan): Planned {
  const [plan] = story.dispatches;
  if (plan === undefined) throw new RangeError(`${story.key} has not been published`);
  return { key: story.key, code: codeOf({ type: 'single', hour: story.hour, nth: story.nth }), plan, story };
}

export function plannedRoundup(roundup: RoundupPlan, hour: number, nth: number): Planned {
  const place = { type: 'roundup', hour, nth } as const;
  return { key: keyOf(place), code: codeOf(place), plan: roundup.plan, roundup };
}

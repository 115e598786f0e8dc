import type { DispatchPlan } from './dispatch-plan.ts';
import type { Planned, Planner } from './planner.ts';
import { plannedRoundup, plannedSingle, plannedStory } from './planner.ts';
import { planRoundup, roundupFoundAt } from './roundup-plan.ts';
import { planSingle, singleFoundAt } from './single-plan.ts';
import type { StoryPlan } from './story-plan.ts';
import { planThread } from './thread-plan.ts';

type Due =
  | { readonly at: number; readonly story: StoryPlan; readonly plan: DispatchPlan }
  | { readonly at: number; readonly single: number }
  | { readonly at: number; readonly roundup: number };

/** A story that will begin in a later hour; its thread is planned again then. */
interface Opening {
  readonly hour: number;
  readonly nth: number;
  readonly position: number;
}

/** Every dispatch in the order in which it is found, hour by hour. Keeps only plans of stories that still run. */
export class PlanStream {
  readonly #planner: Planner;
  readonly #due = new Map<number, Due[]>();
  readonly #openings = new Map<number, Opening[]>();
  /** Dispatches that the schedule still owes; below zero when stories brought more than an hour's share. */
  #backlog = 0;

  constructor(planner: Planner) {
    this.#planner = planner;
  }

  *dispatches(): Generator<Planned, void, undefined> {
    const { roster, schedule } = this.#planner;
    for (let hour = 0; hour < schedule.hours; hour += 1) {
      for (const due of this.#gather(hour)) {
        if ('story' in due) yield plannedStory(due.story, due.plan);
        else if ('single' in due) yield plannedSingle(planSingle(roster, schedule, hour, due.single));
        else {
          const roundup = planRoundup(roster, schedule, hour, due.roundup);
          if (roundup !== null) yield plannedRoundup(roundup, hour, due.roundup);
        }
      }
    }
  }

  #gather(hour: number): Due[] {
    const { roster, schedule } = this.#planner;
    for (let nth = 0; nth < schedule.threadsIn(hour); nth += 1) this.#open(hour, nth);
    for (const { hour: begun, nth, position } of take(this.#openings, hour)) {
      const story = planThread(roster, schedule, begun, nth)[position];
      if (story !== undefined) this.#enter(story);
    }
    const due = take(this.#due, hour);
    const roundups = schedule.roundupsIn(hour);
    for (let nth = 0; nth < roundups; nth += 1)
      due.push({ at: roundupFoundAt(schedule, hour, nth), roundup: nth });
    this.#backlog += schedule.dispatchesIn(hour) - due.length;
    for (let nth = 0; this.#backlog > 0; nth += 1, this.#backlog -= 1) {
      due.push({ at: singleFoundAt(schedule, hour, nth), single: nth });
    }
    return due.sort((one, other) => one.at - other.at);
  }

  #open(hour: number, nth: number): void {
    const { roster, schedule } = this.#planner;
    for (const [position, story] of planThread(roster, schedule, hour, nth).entries()) {
      const begins = schedule.hourOf(story.startsAt);
      if (begins <= hour) this.#enter(story);
      else append(this.#openings, begins, { hour, nth, position });
    }
  }

  #enter(story: StoryPlan): void {
    for (const plan of story.dispatches) {
      append<Due>(this.#due, this.#planner.schedule.hourOf(plan.discovered), {
        at: plan.discovered,
        story,
        plan,
      });
    }
  }
}

function append<T>(lists: Map<number, T[]>, at: number, value: T): void {
  const list = lists.get(at);
  if (list === undefined) lists.set(at, [value]);
  else list.push(value);
}

function take<T>(lists: Map<number, T[]>, at: number): T[] {
  const list = lists.get(at) ?? [];
  lists.delete(at);
  return list;
}

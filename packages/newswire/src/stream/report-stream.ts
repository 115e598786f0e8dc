import { microsPerHour } from '../instant.ts';
import type { Event } from '../plan/event.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import type { Schedule } from '../plan/schedule.ts';
import type { StoryPlan } from '../plan/story-plan.ts';
import { planThread } from '../plan/thread-plan.ts';
import { Random } from '../random.ts';
import type { Report } from '../report.ts';
import type { Roster } from '../roster/roster.ts';
import type { RecentStory } from './roundup-report.ts';
import { roundupReport } from './roundup-report.ts';
import { singleFoundAt, singleReport } from './single-report.ts';
import { storyEvent, storyReport } from './story-report.ts';

type Due =
  | { readonly at: number; readonly story: StoryPlan; readonly plan: ReportPlan }
  | { readonly at: number; readonly single: number }
  | { readonly at: number; readonly roundup: number };

/** A story that will begin in a later hour; its thread is planned again then. */
interface Opening {
  readonly hour: number;
  readonly nth: number;
  readonly index: number;
}

const recentStoriesMax = 40;
const eventsKeptMax = 8192;

/** Tells the reports hour by hour. It keeps only plans of stories that still run, and few events. */
export class ReportStream {
  readonly #roster: Roster;
  readonly #schedule: Schedule;
  readonly #due = new Map<number, Due[]>();
  readonly #openings = new Map<number, Opening[]>();
  readonly #events = new Map<StoryPlan, Event>();
  readonly #recent: RecentStory[] = [];
  /** Reports that the schedule still owes; below zero when stories brought more than an hour's share. */
  #owed = 0;

  constructor(roster: Roster, schedule: Schedule) {
    this.#roster = roster;
    this.#schedule = schedule;
  }

  *reports(): Generator<Report, void, undefined> {
    for (let hour = 0; hour < this.#schedule.hours; hour += 1) {
      for (const due of this.#gather(hour)) {
        if ('story' in due) yield this.#tellStory(due.story, due.plan);
        else if ('single' in due) yield singleReport(this.#roster, this.#schedule, hour, due.single);
        else yield this.#tellRoundup(hour, due);
      }
    }
  }

  #gather(hour: number): Due[] {
    const schedule = this.#schedule;
    for (let nth = 0; nth < schedule.threadsIn(hour); nth += 1) this.#open(hour, nth);
    for (const { hour: begun, nth, index } of take(this.#openings, hour)) {
      const story = planThread(this.#roster, schedule, begun, nth)[index];
      if (story !== undefined) this.#enter(story);
    }
    const due = take(this.#due, hour);
    const roundups = this.#recent.length < 3 ? 0 : schedule.roundupsIn(hour);
    for (let nth = 0; nth < roundups; nth += 1) {
      const offset = new Random(schedule.seed, 14, hour, nth).unit();
      due.push({ at: schedule.hourStart(hour) + Math.floor(offset * microsPerHour), roundup: nth });
    }
    this.#owed += schedule.reportsIn(hour) - due.length;
    for (let nth = 0; this.#owed > 0; nth += 1, this.#owed -= 1) {
      due.push({ at: singleFoundAt(schedule, hour, nth), single: nth });
    }
    return due.sort((one, other) => one.at - other.at);
  }

  #open(hour: number, nth: number): void {
    for (const [index, story] of planThread(this.#roster, this.#schedule, hour, nth).entries()) {
      const begins = this.#schedule.hourOf(story.startsAt);
      if (begins <= hour) this.#enter(story);
      else append(this.#openings, begins, { hour, nth, index });
    }
  }

  #enter(story: StoryPlan): void {
    for (const plan of story.reports) {
      append<Due>(this.#due, this.#schedule.hourOf(plan.discovered), { at: plan.discovered, story, plan });
    }
  }

  #tellStory(story: StoryPlan, plan: ReportPlan): Report {
    let event = this.#events.get(story);
    if (event === undefined) {
      event = storyEvent(story);
      const [oldest] = this.#events.size < eventsKeptMax ? [] : this.#events.keys();
      if (oldest !== undefined) this.#events.delete(oldest);
      this.#events.set(story, event);
    }
    const report = storyReport(story, plan, event);
    if (plan.role === 'first') {
      this.#recent.push({
        key: story.key,
        brief: event.slots['brief'] ?? ['', ''],
        subject: report.facts.subject,
      });
      if (this.#recent.length > recentStoriesMax) this.#recent.shift();
    }
    return report;
  }

  #tellRoundup(hour: number, { at, roundup }: { readonly at: number; readonly roundup: number }): Report {
    const random = new Random(this.#schedule.seed, 15, hour, roundup);
    const key = `round-${hour.toString(36)}-${roundup.toString(36)}`;
    return roundupReport(this.#roster, random, { key, discovered: at }, this.#recent);
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

import { createSchedule } from './plan/schedule.ts';
import type { Organization, Outlet, Person, Report } from './report.ts';
import { createRoster } from './roster/roster.ts';
import type { StoryTruth, TruthOptions } from './story-truth.ts';
import { findTruth, tellTruths } from './story-truth.ts';
import { ReportStream } from './stream/report-stream.ts';

export interface WorldSettings {
  /** Any whole number; the same one gives the same world. */
  readonly seed: number;
  /** The first moment, as a Date or in milliseconds since 1970. */
  readonly startsAt: Date | number;
  readonly days: number;
  readonly itemsPerDay: number;
}

export interface World {
  readonly organizations: readonly Organization[];
  readonly people: readonly Person[];
  readonly outlets: readonly Outlet[];
  /** Every report in order of discovery, made as it is asked for; each call begins anew. */
  readonly reports: () => Iterable<Report>;
  /** What is true about every story, in the order in which threads begin. */
  readonly stories: (options?: TruthOptions) => Iterable<StoryTruth>;
  /** The same for one story; undefined when this world has no such story. */
  readonly storyTruth: (storyKey: string, options?: TruthOptions) => StoryTruth | undefined;
}

export function createWorld(settings: WorldSettings): World {
  const { seed, days, itemsPerDay } = settings;
  const startsAtMs = typeof settings.startsAt === 'number' ? settings.startsAt : settings.startsAt.getTime();
  const roster = createRoster(seed);
  const schedule = createSchedule({ seed, startsAt: startsAtMs * 1000, days, itemsPerDay });
  return {
    organizations: roster.organizations,
    people: roster.people,
    outlets: roster.outlets,
    reports: () => new ReportStream(roster, schedule).reports(),
    stories: (options) => tellTruths(roster, schedule, options),
    storyTruth: (storyKey, options) => findTruth(roster, schedule, storyKey, options),
  };
}

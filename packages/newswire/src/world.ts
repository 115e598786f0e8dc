import type { Article, Dispatch, Organization, Outlet, Person } from './dispatch.ts';
import type { StandingEntry } from './feed/standing-entries.ts';
import { standingEntries } from './feed/standing-entries.ts';
import { PlanStream } from './plan/plan-stream.ts';
import { Planner } from './plan/planner.ts';
import { createSchedule } from './plan/schedule.ts';
import { createRoster } from './roster/roster.ts';
import { codeInAddress } from './site/article-address.ts';
import type { Source } from './site/sources.ts';
import { sourceOf } from './site/sources.ts';
import { DispatchWriter } from './text/dispatch-writer.ts';
import type { StoryTruth, TruthOptions } from './truth/story-truth.ts';
import { Truths } from './truth/story-truth.ts';

export interface WorldSettings {
  /** Any whole number; the same one gives the same world. */
  readonly seed: number;
  /** The first moment, as a Date or in milliseconds since 1970. */
  readonly startsAt: Date | number;
  /** Ten years by default; a long world costs no more than a short one. */
  readonly days?: number;
  /** By default the number of outlets. */
  readonly itemsPerDay?: number;
  /** The number of sources; about 130 by default. */
  readonly outlets?: number;
  /** The number of their registrable domains, in equal shares; by default each site has its own. */
  readonly domains?: number;
  /** How many companies and labs make news; 60, or more in a world of more than 300 outlets. */
  readonly organizations?: number;
}

export interface World {
  readonly seed: number;
  readonly organizations: readonly Organization[];
  readonly people: readonly Person[];
  readonly outlets: readonly Outlet[];
  /** Every dispatch in order of discovery, generated on demand; each call starts from the beginning. */
  readonly dispatches: () => Iterable<Dispatch>;
  /** One dispatch by its key; undefined when this world has no such dispatch. */
  readonly dispatch: (key: string) => Dispatch | undefined;
  /** The same as its publisher has it online at a moment, in milliseconds since 1970. */
  readonly article: (key: string, atMs: number) => Article | undefined;
  /** The dispatch that an address leads to, also through an aggregator; undefined where it leads to none. */
  readonly keyOf: (address: string) => string | undefined;
  /** Every outlet as a newsroom lists its sources. */
  readonly sources: () => readonly Source[];
  /** Every entry that was in a feed at some moment of a span, and from when to when. */
  readonly standing: (span: { readonly fromMs: number; readonly toMs: number }) => Iterable<StandingEntry>;
  /** The truth about every story, in the order in which threads begin. */
  readonly stories: (options?: TruthOptions) => Iterable<StoryTruth>;
  /** The same for one story; undefined when this world has no such story. */
  readonly storyTruth: (storyKey: string, options?: TruthOptions) => StoryTruth | undefined;
}

const defaultDays = 3650;

export function createWorld(settings: WorldSettings): World {
  const { seed, days = defaultDays } = settings;
  const startsAtMs = typeof settings.startsAt === 'number' ? settings.startsAt : settings.startsAt.getTime();
  const roster = createRoster(settings);
  const schedule = createSchedule({
    seed,
    startsAt: startsAtMs * 1000,
    days,
    itemsPerDay: settings.itemsPerDay ?? roster.outlets.length,
  });
  const planner = new Planner(roster, schedule);
  const writer = new DispatchWriter(seed);
  const truths = new Truths(planner, writer);
  const world: World = {
    seed,
    organizations: roster.organizations,
    people: roster.people,
    outlets: roster.outlets,
    dispatches: () => writeAll(planner),
    dispatch: (key) => {
      const planned = planner.byKey(key);
      return planned === undefined ? undefined : writer.dispatch(planned);
    },
    article: (key, atMs) => {
      const planned = planner.byKey(key);
      return planned === undefined ? undefined : writer.article(planned, atMs * 1000);
    },
    keyOf: (address) => {
      const code = codeInAddress(seed, address);
      return code === undefined ? undefined : planner.byCode(code)?.key;
    },
    sources: () => roster.outlets.map((outlet) => sourceOf(seed, outlet)),
    standing: (span) => standingEntries(planner, writer, span),
    stories: (options) => truths.all(options),
    storyTruth: (storyKey, options) => truths.find(storyKey, options),
  };
  parts.set(world, { planner, writer });
  return world;
}

interface WorldParts {
  readonly planner: Planner;
  readonly writer: DispatchWriter;
}

const parts = new WeakMap<World, WorldParts>();

/** The parameters of a world, for the publishers that serve it. */
export function partsOf(world: World): WorldParts {
  const found = parts.get(world);
  if (found === undefined) throw new TypeError('not a world made by createWorld');
  return found;
}

function* writeAll(planner: Planner): Generator<Dispatch, void, undefined> {
  const writer = new DispatchWriter(planner.schedule.seed);
  for (const planned of new PlanStream(planner).dispatches()) yield writer.dispatch(planned);
}

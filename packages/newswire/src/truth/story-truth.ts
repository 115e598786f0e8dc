import type { Figure, KindName, Language } from '../dispatch.ts';
import { laterCopy } from '../grammar/later-copy.ts';
import { fill } from '../grammar/template.ts';
import type { Micros } from '../instant.ts';
import { isoMicros } from '../instant.ts';
import type { DispatchPlan } from '../plan/dispatch-plan.ts';
import type { Event } from '../plan/event.ts';
import { figureOf } from '../plan/event.ts';
import type { Planner } from '../plan/planner.ts';
import { plannedStory } from '../plan/planner.ts';
import type { StoryPlan } from '../plan/story-plan.ts';
import { Random } from '../random.ts';
import type { DispatchWriter } from '../text/dispatch-writer.ts';
import { plainWording, shownLanguage } from '../text/dispatch-writer.ts';

export interface TruthOptions {
  /** Of titles and digests; by default that of the story's first dispatch, as it is shown. */
  readonly language?: Language;
  /** Only what had been discovered by then and not yet withdrawn, in milliseconds since 1970. */
  readonly asOf?: Date | number;
}

export interface DigestSentence {
  readonly text: string;
  /** Keys of the dispatches it rests on. */
  readonly cites: readonly string[];
}

export interface Contradiction {
  readonly statement: string;
  /** Keys of the dispatches that state each figure. */
  readonly earlier: readonly string[];
  readonly later: readonly string[];
  readonly earlierFigure: Figure;
  /** The one that is right. */
  readonly laterFigure: Figure;
}

export interface StoryNeighbour {
  readonly storyKey: string;
  readonly title: string;
  readonly relation: 'predecessor' | 'successor' | 'related';
}

/** A story as an editor with full knowledge would describe it. */
export interface StoryTruth {
  readonly key: string;
  readonly storylineKey: string | null;
  readonly kind: KindName;
  readonly language: Language;
  readonly title: string;
  readonly digest: readonly DigestSentence[];
  readonly contradictions: readonly Contradiction[];
  readonly neighbours: readonly StoryNeighbour[];
  readonly dispatchKeys: readonly string[];
  readonly firstDispatchAt: string;
  readonly latestAt: string;
  /** When the first dispatch of this very story was found, whatever became of it since. */
  readonly opensAt: string;
  /** The story that this one has turned out to be; its dispatches are then also that story's. */
  readonly mergedInto: string | null;
  /** Stories that have turned out to be this one. */
  readonly absorbed: readonly string[];
}

/** A dispatch with the story it was planned for: a merged story has those of two. */
interface Known {
  readonly plan: DispatchPlan;
  readonly story: StoryPlan;
}

interface KnownStory {
  readonly story: StoryPlan;
  readonly event: Event;
  readonly dispatches: readonly Known[];
  readonly language: Language;
  readonly mergedInto: string | null;
  readonly absorbed: readonly string[];
}

export class Truths {
  readonly #planner: Planner;
  readonly #writer: DispatchWriter;

  constructor(planner: Planner, writer: DispatchWriter) {
    this.#planner = planner;
    this.#writer = writer;
  }

  /** The truth about every story, in the order in which threads begin. */
  *all(options: TruthOptions = {}): Generator<StoryTruth, void, undefined> {
    const { schedule } = this.#planner;
    for (let hour = 0; hour < schedule.hours; hour += 1) {
      for (let nth = 0; nth < schedule.threadsIn(hour); nth += 1) {
        const thread = this.#known(this.#planner.thread(hour, nth), options);
        for (const known of thread) yield truthOf(known, thread);
      }
    }
  }

  find(storyKey: string, options: TruthOptions = {}): StoryTruth | undefined {
    const [, hour = '', nth = ''] = /^story-([0-9a-z]+)-([0-9a-z]+)-\d+$/.exec(storyKey) ?? [];
    const stories = this.#planner.thread(Number.parseInt(hour, 36), Number.parseInt(nth, 36));
    const thread = this.#known(stories, options);
    const known = thread.find(({ story }) => story.key === storyKey);
    return known === undefined ? undefined : truthOf(known, thread);
  }

  #known(stories: readonly StoryPlan[], { asOf, language }: TruthOptions): KnownStory[] {
    let until: Micros = Infinity;
    if (asOf !== undefined) until = (typeof asOf === 'number' ? asOf : asOf.getTime()) * 1000;
    return stories.flatMap((story) => {
      const merged = stories.filter(
        ({ merges }) => merges !== null && merges.into === story.key && merges.at <= until,
      );
      const dispatches = [story, ...merged]
        .flatMap((dispatch) => dispatch.dispatches.map((plan) => ({ plan, story: dispatch })))
        .filter(({ plan }) => plan.discovered <= until && !isWithdrawn(plan, until))
        .sort((one, other) => one.plan.discovered - other.plan.discovered);
      const [first] = dispatches;
      if (first === undefined) return [];
      return {
        story,
        event: this.#writer.events.of(story),
        dispatches,
        language: language ?? shownLanguage(first.plan),
        mergedInto: story.merges !== null && story.merges.at <= until ? story.merges.into : null,
        absorbed: merged.map(({ key }) => key),
      };
    });
  }
}

function truthOf(known: KnownStory, thread: readonly KnownStory[]): StoryTruth {
  const { story, dispatches } = known;
  const found = dispatches.map(({ plan }) => plan.discovered);
  return {
    key: story.key,
    storylineKey: story.storylineKey,
    kind: story.kind.name,
    language: known.language,
    title: titleOf(known),
    digest: digestOf(known),
    contradictions: contradictionsOf(known),
    neighbours: neighboursOf(known, thread),
    dispatchKeys: keysOf(dispatches),
    firstDispatchAt: isoMicros(Math.min(...found)),
    latestAt: isoMicros(Math.max(...found)),
    opensAt: isoMicros(Math.min(...story.dispatches.map(({ discovered }) => discovered))),
    mergedInto: known.mergedInto,
    absorbed: known.absorbed,
  };
}

/** A story that was at first without a name has its name in the title once that is known. */
function titleOf(known: KnownStory): string {
  const first = known.dispatches.find(({ story }) => story === known.story) ?? known.dispatches[0];
  return first === undefined ? '' : worded(known, first).title;
}

function worded(
  { event, language }: KnownStory,
  { story, plan }: Known,
): { readonly title: string; readonly lead: string } {
  return plainWording(event, story, plan, language);
}

function keysOf(dispatches: readonly Known[]): string[] {
  return dispatches.map(({ story, plan }) => plannedStory(story, plan).key);
}

function groupName({ story, plan }: Known): string {
  return `${story.key} ${plan.group}`;
}

/** One sentence for each reading group; all that deny the first figure share one. */
function digestOf(known: KnownStory): DigestSentence[] {
  const { dispatches } = known;
  const disputed = disputedGroups(dispatches);
  const sentences = new Map<string, string[]>();
  for (const group of Map.groupBy(dispatches, groupName).values()) {
    const [opener] = group;
    if (opener === undefined) continue;
    const disputes = disputed.has(groupName(opener));
    const text = disputes ? statementOf(known) : worded(known, opener).lead;
    sentences.set(text, [...(sentences.get(text) ?? []), ...keysOf(group)]);
  }
  return [...sentences].map(([text, cites]) => ({ text, cites }));
}

function disputedGroups(dispatches: readonly Known[]): ReadonlySet<string> {
  return new Set(
    dispatches
      .filter(({ plan, story }) => {
        const opener = story.dispatches.find(({ index }) => index === plan.group);
        return opener !== undefined && opener.against !== null;
      })
      .map(groupName),
  );
}

function statementOf({ event, language }: KnownStory): string {
  return fill(laterCopy[language].statement, event, language, new Random(0));
}

/** Dispatches with the first figure are on the earlier side, those with the other on the later side. */
function contradictionsOf(known: KnownStory): Contradiction[] {
  const { story, dispatches, event } = known;
  const disputed = disputedGroups(dispatches);
  const opened = story.dispatches.find(({ role }) => role === 'first');
  const earlier = dispatches.filter(
    (dispatch) => dispatch.story === story && dispatch.plan.group === opened?.group,
  );
  const later = dispatches.filter((dispatch) => disputed.has(groupName(dispatch)));
  if (earlier.length === 0 || later.length === 0) return [];
  return [
    {
      statement: statementOf(known),
      earlier: keysOf(earlier),
      later: keysOf(later),
      earlierFigure: figureOf(event.kind, event.figure),
      laterFigure: figureOf(event.kind, event.other),
    },
  ];
}

function neighboursOf(known: KnownStory, thread: readonly KnownStory[]): StoryNeighbour[] {
  const { story } = known;
  return thread.flatMap((other) => {
    if (other === known) return [];
    const related = other.story.twinOf === story.key;
    if (!related && (story.storylineKey === null || other.story.storylineKey !== story.storylineKey))
      return [];
    const order = other.story.startsAt < story.startsAt ? 'predecessor' : 'successor';
    return [{ storyKey: other.story.key, title: titleOf(other), relation: related ? 'related' : order }];
  });
}

function isWithdrawn({ changes }: DispatchPlan, at: Micros): boolean {
  return changes.withdrawn !== null && changes.withdrawn <= at;
}

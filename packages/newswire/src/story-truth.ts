import { laterCopy } from './grammar/later-copy.ts';
import { fill } from './grammar/template.ts';
import type { Micros } from './instant.ts';
import { isoMicros } from './instant.ts';
import type { Event } from './plan/event.ts';
import type { ReportPlan } from './plan/report-plan.ts';
import type { Schedule } from './plan/schedule.ts';
import type { StoryPlan } from './plan/story-plan.ts';
import { planThread } from './plan/thread-plan.ts';
import { Random } from './random.ts';
import type { KindName, Language } from './report.ts';
import type { Roster } from './roster/roster.ts';
import { tell } from './stream/report-text.ts';
import { reportKey, storyEvent } from './stream/story-report.ts';

export interface TruthOptions {
  /** Of titles and digests; English unless said otherwise. */
  readonly language?: Language;
  /** Only what had been discovered by then, in milliseconds since 1970. */
  readonly asOf?: Date | number;
}

export interface DigestSentence {
  readonly text: string;
  /** Keys of the reports it rests on. */
  readonly cites: readonly string[];
}

export interface Contradiction {
  readonly statement: string;
  readonly earlier: readonly string[];
  readonly later: readonly string[];
}

export interface StoryNeighbour {
  readonly storyKey: string;
  readonly title: string;
  readonly relation: 'predecessor' | 'successor' | 'related';
}

/** A story as an editor who knows everything would write it down. */
export interface StoryTruth {
  readonly key: string;
  readonly storylineKey: string | null;
  readonly kind: KindName;
  readonly title: string;
  readonly digest: readonly DigestSentence[];
  readonly contradictions: readonly Contradiction[];
  readonly neighbours: readonly StoryNeighbour[];
  readonly reportKeys: readonly string[];
  readonly firstReportAt: string;
  readonly latestAt: string;
}

interface Known {
  readonly story: StoryPlan;
  readonly event: Event;
  readonly reports: readonly ReportPlan[];
  readonly language: Language;
}

export function* tellTruths(
  roster: Roster,
  schedule: Schedule,
  options: TruthOptions = {},
): Generator<StoryTruth, void, undefined> {
  for (let hour = 0; hour < schedule.hours; hour += 1) {
    for (let nth = 0; nth < schedule.threadsIn(hour); nth += 1) {
      const thread = knownThread(planThread(roster, schedule, hour, nth), options);
      for (const known of thread) yield truthOf(known, thread);
    }
  }
}

export function findTruth(
  roster: Roster,
  schedule: Schedule,
  storyKey: string,
  options: TruthOptions = {},
): StoryTruth | undefined {
  const [, hourText = '', nthText = ''] = /^story-([0-9a-z]+)-([0-9a-z]+)-\d+$/.exec(storyKey) ?? [];
  const hour = Number.parseInt(hourText, 36);
  const nth = Number.parseInt(nthText, 36);
  if (!(hour < schedule.hours) || !(nth < schedule.threadsIn(hour))) return undefined;
  const thread = knownThread(planThread(roster, schedule, hour, nth), options);
  const known = thread.find(({ story }) => story.key === storyKey);
  return known === undefined ? undefined : truthOf(known, thread);
}

function knownThread(stories: readonly StoryPlan[], options: TruthOptions): Known[] {
  const { asOf, language = 'en' } = options;
  let until: Micros = Infinity;
  if (asOf !== undefined) until = (typeof asOf === 'number' ? asOf : asOf.getTime()) * 1000;
  return stories
    .map((story) => ({
      story,
      event: storyEvent(story),
      reports: story.reports.filter(({ discovered }) => discovered <= until),
      language,
    }))
    .filter(({ reports }) => reports.length > 0);
}

function truthOf(known: Known, thread: readonly Known[]): StoryTruth {
  const { story, reports } = known;
  const found = reports.map(({ discovered }) => discovered);
  return {
    key: story.key,
    storylineKey: story.storylineKey,
    kind: story.kind.name,
    title: titleOf(known),
    digest: digestOf(known),
    contradictions: contradictionsOf(known),
    neighbours: neighboursOf(known, thread),
    reportKeys: reports.map(({ index }) => reportKey(story, index)),
    firstReportAt: isoMicros(Math.min(...found)),
    latestAt: isoMicros(Math.max(...found)),
  };
}

function titleOf({ event, reports, language }: Known): string {
  const [first] = reports;
  return first === undefined ? '' : worded(event, first, language).title;
}

function worded(event: Event, plan: ReportPlan, language: Language): { title: string; lead: string } {
  const how = { ...plan, tells: plan.role, source: null };
  const { title, lead } = tell(event, how, language);
  return { title, lead };
}

/** One sentence for each reading group; all that deny the first figure share one. */
function digestOf(known: Known): DigestSentence[] {
  const { story, event, reports, language } = known;
  const disputed = disputedGroups(reports);
  const sentences = new Map<string, string[]>();
  for (const opener of reports.filter(({ index, group }) => index === group)) {
    const text = isDispute(opener) ? statementOf(known) : worded(event, opener, language).lead;
    if (sentences.has(text)) continue;
    const cited = reports.filter(({ group }) =>
      isDispute(opener) ? disputed.has(group) : group === opener.group,
    );
    sentences.set(
      text,
      cited.map(({ index }) => reportKey(story, index)),
    );
  }
  return [...sentences].map(([text, cites]) => ({ text, cites }));
}

function disputedGroups(reports: readonly ReportPlan[]): ReadonlySet<number> {
  return new Set(reports.filter(isDispute).map(({ group }) => group));
}

function isDispute({ against, role }: ReportPlan): boolean {
  return against !== null && role !== 'reprint';
}

function statementOf({ event, language }: Known): string {
  return fill(laterCopy[language].statement, event, language, new Random(0));
}

/** Whoever repeated the first figure stands on the earlier side, whoever repeated the other one on the later. */
function contradictionsOf(known: Known): Contradiction[] {
  const { story, reports } = known;
  const disputed = disputedGroups(reports);
  if (disputed.size === 0) return [];
  const opened = reports.find(({ role }) => role === 'first');
  const keys = (plans: readonly ReportPlan[]): string[] => plans.map(({ index }) => reportKey(story, index));
  return [
    {
      statement: statementOf(known),
      earlier: keys(reports.filter(({ group }) => group === opened?.group)),
      later: keys(reports.filter(({ group }) => disputed.has(group))),
    },
  ];
}

function neighboursOf(known: Known, thread: readonly Known[]): StoryNeighbour[] {
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

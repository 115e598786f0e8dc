import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import { ConcurrentChange } from '../../foundation/database/concurrent-change.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantToMs } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { ItemToPublish, Publisher } from '../../record/index.ts';
import type { AliasTable, ReadReport, StoryModel } from './matching/index.ts';
import {
  allPostedTerms,
  entryTerms,
  mergeLikelihood,
  readingSignature,
  storeReport,
} from './matching/index.ts';
import type { ComparedStory, Placement } from './place-report.ts';
import { placeReport } from './place-report.ts';
import type { StoredVerdict, StoryDecision } from './story-decision-store.ts';
import { insertStoryDecision, wereSplit } from './story-decision-store.ts';
import { insertStoryReport } from './story-index-store.ts';

export interface StoryDeps {
  readonly clock: Clock;
  readonly aliases: AliasTable;
  readonly model: StoryModel;
}

export type Decisions = Parameters<Parameters<Publisher['within']>[1]>[0];

export interface ReportToPublish extends Omit<ItemToPublish, 'groupId' | 'storyId'> {
  readonly id: Id<'item'>;
}

export interface PublishedReport {
  readonly groupId: Id<'reading-group'>;
  /** Null for a roundup. */
  readonly storyId: Id<'story'> | null;
  readonly kind: StoryDecision['kind'];
}

export type PublishReportFault = 'already_published' | 'impossible_times';

const hourMs = 3_600_000;
/** Older stories are not looked at again. */
const reexaminedHours = 72;
const verdictsKept = 5;
/** Below this, more than two of three neighbours had nothing to do with each other. */
const linkFrom = 0.3;

/**
 * Publishes an item into its reading group and its story, opening one where there is none; merges two stories that
 * the report shows to be one, and links neighbours. Everything in the caller's transaction, one report of all workers
 * at a time. Where `already_published`, nothing has changed.
 */
export async function publishReport(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  item: ReportToPublish,
): Promise<Result<PublishedReport, PublishReportFault>> {
  const at = item.publishedAt ?? item.discoveredAt;
  const report = readReport(deps, item, at);
  const placement = await placeReport(transaction, deps.model, { report, at });
  const place = placeOf(placement);
  const published = await decisions.publishItem({ ...item, ...place });
  if (!published.ok) {
    const { reason } = published;
    if (reason === 'already_published' || reason === 'impossible_times') return refused(reason);
    throw new ConcurrentChange(`an editor changed the story of a report: ${reason}`);
  }
  const storyId = place.storyId ?? (await openStory(decisions, placement, item));
  await insertStoryReport(transaction, {
    itemId: item.id,
    reportedAt: at,
    postedTerms: allPostedTerms(report),
    stored: storeReport(report, placement.statistics.reportsWith),
  });
  const decision = decisionOf(deps, placement, item.id, storyId);
  await insertStoryDecision(transaction, decision);
  const standing = await mergeStories(deps, transaction, decisions, {
    placement,
    itemId: item.id,
    at,
    storyId,
  });
  await linkNeighbours(deps, decisions, placement, standing);
  return accepted({ groupId: published.value.groupId, storyId: standing.storyId, kind: decision.kind });
}

function readReport(
  { aliases }: StoryDeps,
  { title, originalTitle, summary, originalUrl }: ReportToPublish,
  at: EpochMicroseconds,
): ReadReport {
  const entry = { title, originalTitle, summary, url: originalUrl, at: instantToMs(at) };
  return { terms: entryTerms(entry, aliases), signature: readingSignature(entry) };
}

function placeOf({ decision }: Placement): {
  readonly groupId?: Id<'reading-group'>;
  readonly storyId?: Id<'story'>;
} {
  if ('itemId' in decision) return { groupId: decision.groupId, storyId: decision.storyId };
  return decision.outcome === 'join' ? { storyId: decision.story } : {};
}

async function openStory(
  decisions: Decisions,
  { report }: Placement,
  { id, title }: ReportToPublish,
): Promise<Id<'story'> | null> {
  if (report.facts.roundup) return null;
  const opened = await decisions.openStory({ title, itemIds: [id] });
  if (!opened.ok) throw new ConcurrentChange(`a story could not be opened: ${opened.reason}`);
  return opened.value.storyId;
}

function decisionOf(
  { clock, model }: StoryDeps,
  { decision, candidates }: Placement,
  itemId: Id<'item'>,
  storyId: Id<'story'> | null,
): StoryDecision {
  const base = { decidedAt: clock.now(), itemId, storyId, otherStoryId: null, ruleVersion: model.version };
  if ('itemId' in decision) return { ...base, kind: 'same reading', detail: { readingOf: decision.itemId } };
  const closest = new Map(candidates.flatMap(({ itemIds }) => [...itemIds]));
  const verdicts = decision.verdicts.slice(0, verdictsKept).map((verdict): StoredVerdict => {
    const { id, likelihood, founderLikelihood, clash } = verdict;
    const features = Object.fromEntries(
      Object.entries(verdict.features)
        .filter(([, value]) => value !== 0)
        .map(([name, value]) => [name, rounded(value)]),
    );
    const closestId = closest.get(verdict.closest) as Id<'item'>;
    return {
      storyId: id,
      likelihood: rounded(likelihood),
      founderLikelihood: rounded(founderLikelihood),
      clash,
      closestId,
      features,
    };
  });
  const detail = { candidates: candidates.length, verdicts };
  if (decision.outcome === 'join') return { ...base, kind: 'join', detail };
  const kind = storyId === null ? 'no story' : 'open';
  return { ...base, kind, detail: { ...detail, reason: decision.reason } };
}

interface Standing {
  /** Of the report, after all merges. */
  readonly storyId: Id<'story'> | null;
  readonly merged: ReadonlySet<Id<'story'>>;
}

/** Late evidence: a report that joined one story may show that a related one of the last days is the same. */
async function mergeStories(
  { clock, model }: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  reported: {
    readonly placement: Placement;
    readonly itemId: Id<'item'>;
    readonly at: EpochMicroseconds;
    readonly storyId: Id<'story'> | null;
  },
): Promise<Standing> {
  const { placement, itemId, at, storyId } = reported;
  const { decision, candidates } = placement;
  const merged = new Set<Id<'story'>>();
  let own = candidates.find(({ id }) => id === storyId);
  if (storyId === null || own === undefined || 'itemId' in decision) return { storyId, merged };
  own = { ...own, members: [...own.members, placement.report] };
  for (const id of decision.related) {
    const other = candidates.find((candidate) => candidate.id === id);
    if (other === undefined || !isRecent(other, at)) continue;
    const { merge, likelihood } = mergeLikelihood(...inOrder(own, other), model);
    if (!merge || (await wereSplit(transaction, own.id, other.id))) continue;
    const [survivor, absorbed] = inOrder(own, other);
    const done = await decisions.mergeStories({ survivorId: survivor.id, absorbedId: absorbed.id });
    if (!done.ok) throw new ConcurrentChange(`two stories could not be merged: ${done.reason}`);
    merged.add(absorbed.id);
    await insertStoryDecision(transaction, {
      decidedAt: clock.now(),
      kind: 'merge',
      itemId,
      storyId: survivor.id,
      otherStoryId: absorbed.id,
      ruleVersion: model.version,
      detail: { likelihood: rounded(likelihood) },
    });
    own = { ...survivor, members: [...survivor.members, ...absorbed.members] };
  }
  return { storyId: own.id, merged };
}

/** The older first: its address is the one that is known. */
function inOrder(one: ComparedStory, other: ComparedStory): [ComparedStory, ComparedStory] {
  return one.founded <= other.founded ? [one, other] : [other, one];
}

function isRecent({ members }: ComparedStory, at: EpochMicroseconds): boolean {
  const newest = Math.max(...members.map(({ facts }) => facts.at ?? 0));
  return newest >= instantToMs(at) - reexaminedHours * hourMs;
}

/** What a clash alone kept apart follows on the other: the next version, or an event that has moved on. */
async function linkNeighbours(
  { model }: StoryDeps,
  decisions: Decisions,
  { decision }: Placement,
  { storyId, merged }: Standing,
): Promise<void> {
  if (storyId === null || 'itemId' in decision) return;
  const related = new Set(decision.related);
  const links = decision.verdicts
    .filter(
      ({ id, likelihood }) => related.has(id) && id !== storyId && !merged.has(id) && likelihood >= linkFrom,
    )
    .map(({ id, likelihood, clash }) => ({
      storyId: id,
      kind: clash !== null && likelihood >= model.joinFrom ? ('storyline' as const) : ('related' as const),
      strength: rounded(likelihood),
    }));
  if (links.length === 0) return;
  const linked = await decisions.linkStories({ storyId, links });
  if (!linked.ok) throw new ConcurrentChange(`stories could not be linked: ${linked.reason}`);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

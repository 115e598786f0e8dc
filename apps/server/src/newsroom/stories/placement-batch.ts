import { hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Id, IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantToMs } from '../../foundation/instant.ts';
import type { ItemQueries } from './item-queries.ts';
import type { Assignment } from './matching/assign-item.ts';
import { assignItem, mergeLikelihood } from './matching/assign-item.ts';
import type { CorpusStatistics } from './matching/corpus-statistics.ts';
import type { Term } from './matching/entry-terms.ts';
import { indexTerms } from './matching/entry-terms.ts';
import { weighEntry } from './matching/pair-features.ts';
import type { ReadItem } from './matching/reading-groups.ts';
import { allPostedTerms, storeItem } from './matching/stored-item.ts';
import type { StoryModel } from './matching/story-model.ts';
import type { TextComparison } from './matching/syndication.ts';
import type { StoredVerdict, StoryDecision, StoryDecisionKind } from './story-decision-store.ts';
import type { CorpusCounts, ItemToIndex, TermHits } from './story-index-store.ts';
import type { ComparableItem, ComparedStory, WorkingStories } from './working-stories.ts';

/** Older stories are not considered for a merge. */
const reexaminedHours = 72;
const verdictsStored = 5;
/** Below this, more than two of three linked stories were unrelated. */
const linkFrom = 0.3;
/** Items of a batch arrive after all items of the index. */
const firstArrival = 1n << 62n;

export interface ItemToPlace {
  readonly itemId: Id<'item'>;
  readonly at: EpochMicroseconds;
  readonly item: ReadItem;
  readonly owner: string;
  /** Of its source, as configured. */
  readonly syndicate: string | null;
}

export interface StoryMerge {
  readonly survivorId: Id<'story'>;
  readonly absorbedId: Id<'story'>;
}

export interface StoryNeighbour {
  readonly storyId: Id<'story'>;
  readonly kind: 'storyline' | 'related';
  readonly strength: number;
}

/** The placement of an item. Nothing is written yet. */
export interface Placement {
  readonly itemId: Id<'item'>;
  readonly kind: Exclude<StoryDecisionKind, 'merge' | 'split'>;
  /** The group of the item that it repeats, or new. */
  readonly groupId: Id<'reading-group'>;
  /** Joined or opened, before the merges; null for a roundup. */
  readonly storyId: Id<'story'> | null;
  /** Stories that the item proves to be one, in this order. */
  readonly merges: readonly StoryMerge[];
  /** Its story after the merges. */
  readonly finalStoryId: Id<'story'> | null;
  readonly links: readonly StoryNeighbour[];
  /** The owner that it counts for; null: its own. */
  readonly voice: string | null;
  /** With the texts of other owners. */
  readonly comparisons: readonly TextComparison[];
  readonly decisions: readonly StoryDecision[];
  readonly indexed: ItemToIndex;
}

export interface FoundItems {
  /** Items of the index that may be near-identical, in order of arrival. */
  readonly readings: readonly (ComparableItem & { readonly storyId: Id<'story'> })[];
  /** Items of the index that may have the same text, in order of arrival. */
  readonly copies: readonly ComparableItem[];
  readonly hits: readonly TermHits[];
}

export interface BatchDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly model: StoryModel;
  /** As of the start of the batch. */
  readonly corpus: CorpusCounts;
  readonly stories: WorkingStories;
  readonly candidatesMax: number;
  /** The name that each owner counts under that publishes the texts of others. */
  readonly syndicates: ReadonlyMap<string, string>;
  /** Whether an editor has split the two. */
  readonly wereSplit: (one: Id<'story'>, other: Id<'story'>) => Promise<boolean>;
}

/** Places one item after the other; each is compared with the previous ones. */
export class PlacementBatch {
  readonly #deps: BatchDeps;
  readonly #termCounts = new Map<Term, number>();
  #placed = 0;

  constructor(deps: BatchDeps) {
    this.#deps = deps;
  }

  async place(toPlace: ItemToPlace, queries: ItemQueries, found: FoundItems): Promise<Placement> {
    const { ids, stories } = this.#deps;
    const { itemId, at, item, owner } = toPlace;
    const statistics = this.#statistics();
    const reading = stories.findReading(item, queries.reading, found.readings);
    const placed =
      reading === null
        ? await this.#assign(toPlace, queries, found, statistics)
        : {
            kind: 'same reading' as const,
            storyId: reading.storyId,
            merges: [],
            finalStoryId: reading.storyId,
            links: [],
            decisions: [
              this.#decision('same reading', itemId, reading.storyId, { readingOf: reading.twin.itemId }),
            ],
          };
    const groupId = reading?.twin.groupId ?? ids.next<'reading-group'>();
    const indexed: ItemToIndex = {
      itemId,
      reportedAt: at,
      postedTerms: allPostedTerms(item),
      stored: storeItem(item, statistics.itemsWith),
    };
    const compared = stories.compareTexts(item, queries.copies, found.copies, placed.finalStoryId);
    const heard = this.#voiceOf(toPlace, reading?.twin ?? null, compared);
    this.#count(item, placed.finalStoryId, { groupId, owner, voice: heard.voice ?? owner }, indexed);
    const [placing, ...others] = placed.decisions as [StoryDecision, ...StoryDecision[]];
    const detail = { ...placing.detail, ...(heard.copyOf !== null && { copyOf: heard.copyOf }) };
    return {
      itemId,
      groupId,
      indexed,
      ...placed,
      decisions: [{ ...placing, detail }, ...others],
      voice: heard.voice === owner ? null : heard.voice,
      comparisons: comparisonsOf(owner, compared),
    };
  }

  /** A copy counts for the owner of its text; otherwise owners that publish the same texts count under one name. */
  #voiceOf(
    { owner, syndicate }: ItemToPlace,
    twin: ComparableItem | null,
    compared: readonly ComparedText[],
  ): { readonly voice: string | null; readonly copyOf: Id<'item'> | null } {
    const original = compared.find(({ alike }) => alike)?.other ?? null;
    // Two texts under one headline that differ are two reports.
    const differs =
      twin !== null && compared.some(({ other, alike }) => other.itemId === twin.itemId && !alike);
    const copied = original ?? (differs ? null : twin);
    if (copied !== null) return { voice: copied.voice, copyOf: copied.itemId };
    return { voice: syndicate ?? this.#deps.syndicates.get(owner) ?? null, copyOf: null };
  }

  /** Includes the item itself: a term that only it contains has the count 1. */
  #statistics(): CorpusStatistics {
    const { items, itemsWith } = this.#deps.corpus;
    return {
      items: items + this.#placed + 1,
      itemsWith: (term) => (itemsWith.get(term) ?? 0) + (this.#termCounts.get(term) ?? 0) + 1,
    };
  }

  async #assign(
    { itemId, at, item }: ItemToPlace,
    queries: ItemQueries,
    found: FoundItems,
    statistics: CorpusStatistics,
  ): Promise<Omit<Placement, 'itemId' | 'groupId' | 'indexed' | 'voice' | 'comparisons'>> {
    const { ids, stories, model, candidatesMax } = this.#deps;
    const weighed = weighEntry(item.terms, statistics);
    const candidates = item.terms.roundup
      ? []
      : stories
          .candidates(queries.candidates, found.hits, candidatesMax)
          .flatMap((id) => stories.compared(id, weighed, statistics.items));
    const assignment = assignItem(weighed, candidates, model);
    const decide = (
      kind: Placement['kind'],
      storyId: Id<'story'> | null,
      reason: Pick<StoryDecision['detail'], 'reason'> = {},
    ): StoryDecision =>
      this.#decision(kind, itemId, storyId, { ...detailOf(assignment, candidates), ...reason });
    if (assignment.outcome === 'open') {
      const storyId = item.terms.roundup ? null : ids.next<'story'>();
      const kind = storyId === null ? 'no story' : 'open';
      const decisions = [decide(kind, storyId, { reason: assignment.reason })];
      const links = storyId === null ? [] : this.#linksOf(assignment, storyId, new Set());
      return { kind, storyId, merges: [], finalStoryId: storyId, links, decisions };
    }
    const storyId = assignment.story;
    const merged = await this.#mergesOf({ itemId, at, storyId, weighed, assignment, candidates });
    const absorbed = new Set(merged.merges.map(({ absorbedId }) => absorbedId));
    return {
      kind: 'join',
      storyId,
      merges: merged.merges,
      finalStoryId: stories.survivorOf(storyId),
      links: this.#linksOf(assignment, stories.survivorOf(storyId), absorbed),
      decisions: [decide('join', storyId), ...merged.decisions],
    };
  }

  /** Late evidence: an item that joined one story may prove that a related recent one is the same. */
  async #mergesOf(joined: {
    readonly itemId: Id<'item'>;
    readonly at: EpochMicroseconds;
    readonly storyId: Id<'story'>;
    readonly weighed: ComparedStory['members'][0];
    readonly assignment: Assignment<Id<'story'>>;
    readonly candidates: readonly ComparedStory[];
  }): Promise<Pick<Placement, 'merges' | 'decisions'>> {
    const { stories, model } = this.#deps;
    const { itemId, at, storyId, weighed, assignment, candidates } = joined;
    const merges: StoryMerge[] = [];
    const decisions: StoryDecision[] = [];
    let own = candidates.find(({ id }) => id === storyId);
    if (own === undefined) return { merges, decisions };
    own = { ...own, members: [...own.members, weighed] };
    for (const id of assignment.related) {
      const other = candidates.find((candidate) => candidate.id === id);
      if (other === undefined || !isRecent(other, at)) continue;
      const [survivor, absorbed] = inOrder(own, other);
      const { merge, likelihood } = mergeLikelihood(survivor, absorbed, model);
      if (!merge || (await this.#deps.wereSplit(own.id, other.id))) continue;
      stories.merge(survivor.id, absorbed.id);
      merges.push({ survivorId: survivor.id, absorbedId: absorbed.id });
      decisions.push(
        this.#decision('merge', itemId, survivor.id, { likelihood: rounded(likelihood) }, absorbed.id),
      );
      own = { ...survivor, members: [...survivor.members, ...absorbed.members] };
    }
    return { merges, decisions };
  }

  /** Stories separated only by a clash follow each other: the next version, or a later state of the event. */
  #linksOf(
    { verdicts, related }: Assignment<Id<'story'>>,
    storyId: Id<'story'>,
    absorbed: ReadonlySet<Id<'story'>>,
  ): readonly StoryNeighbour[] {
    const near = new Set(related);
    return verdicts
      .filter(
        ({ id, likelihood }) => near.has(id) && id !== storyId && !absorbed.has(id) && likelihood >= linkFrom,
      )
      .map(({ id, likelihood, clash }) => ({
        storyId: id,
        kind: clash !== null && likelihood >= this.#deps.model.joinFrom ? 'storyline' : 'related',
        strength: rounded(likelihood),
      }));
  }

  #decision(
    kind: StoryDecisionKind,
    itemId: Id<'item'>,
    storyId: Id<'story'> | null,
    detail: StoryDecision['detail'],
    otherStoryId: Id<'story'> | null = null,
  ): StoryDecision {
    const { clock, model } = this.#deps;
    return {
      decidedAt: clock.now(),
      kind,
      itemId,
      storyId,
      otherStoryId,
      ruleVersion: model.version,
      detail,
    };
  }

  #count(
    item: ReadItem,
    storyId: Id<'story'> | null,
    counted: Pick<ComparableItem, 'groupId' | 'owner' | 'voice'>,
    { itemId, reportedAt, postedTerms, stored }: ItemToIndex,
  ): void {
    for (const term of indexTerms(item.terms).keys())
      this.#termCounts.set(term, (this.#termCounts.get(term) ?? 0) + 1);
    const arrived = firstArrival + BigInt(this.#placed);
    this.#placed += 1;
    if (storyId !== null)
      this.#deps.stories.add({ itemId, ...counted, arrived, stored, storyId, reportedAt }, postedTerms);
  }
}

type ComparedText = ReturnType<WorkingStories['compareTexts']>[number];

/** One for each other owner: alike if one of its texts is. */
function comparisonsOf(owner: string, compared: readonly ComparedText[]): readonly TextComparison[] {
  const others = Map.groupBy(
    compared.filter(({ other }) => other.owner !== owner),
    ({ other }) => other.owner,
  );
  return Array.from(others, ([otherOwner, texts]) => ({
    owner,
    otherOwner,
    alike: texts.some(({ alike }) => alike),
  }));
}

function detailOf(
  { verdicts }: Assignment<Id<'story'>>,
  candidates: readonly ComparedStory[],
): StoryDecision['detail'] {
  const itemIds = new Map(candidates.flatMap((candidate) => [...candidate.itemIds]));
  const stored = verdicts.slice(0, verdictsStored).map((verdict): StoredVerdict => {
    const { id, likelihood, founderLikelihood, clash, closest } = verdict;
    const features = Object.entries(verdict.features).filter(([, value]) => value !== 0);
    return {
      storyId: id,
      likelihood: rounded(likelihood),
      founderLikelihood: rounded(founderLikelihood),
      clash,
      closestId: itemIds.get(closest) as Id<'item'>,
      features: Object.fromEntries(features.map(([name, value]) => [name, rounded(value)])),
    };
  });
  return { candidates: candidates.length, verdicts: stored };
}

/** The older first, because its address is already known to readers. */
function inOrder(one: ComparedStory, other: ComparedStory): [ComparedStory, ComparedStory] {
  return one.founded <= other.founded ? [one, other] : [other, one];
}

function isRecent({ members }: ComparedStory, at: EpochMicroseconds): boolean {
  const newest = Math.max(...members.map(({ facts }) => facts.at ?? 0));
  return newest >= instantToMs(at) - reexaminedHours * hourMs;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

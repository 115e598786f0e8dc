import type { Id } from '../../foundation/ids.ts';
import { judgedMembersMax } from './matching/assign-item.ts';
import type { ReadItem } from './matching/reading-groups.ts';
import { isSameReading } from './matching/reading-groups.ts';
import type { StoredItem } from './matching/stored-item.ts';
import { restoreFacts, weighStored } from './matching/stored-item.ts';
import { isCopy, restoreSketch } from './matching/text-sketch.ts';
import type { WeighedEntry } from './matching/weighed-entry.ts';
import type { CandidateQuery, IndexedItem, ReadingQuery, TermHits } from './story-index-store.ts';

/** A comparable item: of the index, or placed earlier in the same batch. */
export interface ComparableItem extends Omit<IndexedItem, 'storyId'> {
  readonly stored: StoredItem;
}

/** The comparison data of a story. */
export interface ComparedStory {
  readonly id: Id<'story'>;
  readonly members: readonly [WeighedEntry, ...WeighedEntry[]];
  /** The item of each member. */
  readonly itemIds: ReadonlyMap<WeighedEntry, Id<'item'>>;
  /** The arrival of its founder: of two stories the older survives. */
  readonly founded: bigint;
}

interface PlacedItem extends ComparableItem {
  readonly storyId: Id<'story'>;
  readonly reportedAt: bigint;
}

/**
 * The stories that the items of a batch may join, from the index, with the items of the batch that were placed
 * already: each item has the same result as if it were published alone after the previous ones.
 */
export class WorkingStories {
  readonly #members: Map<Id<'story'>, readonly ComparableItem[]>;
  /** Items of the batch by each of their terms and keys. */
  readonly #placed = new Map<string, PlacedItem[]>();
  /** Merges in this batch: absorbed to survivor. */
  readonly #survivors = new Map<Id<'story'>, Id<'story'>>();

  constructor(members: ReadonlyMap<Id<'story'>, readonly ComparableItem[]>) {
    this.#members = new Map(members);
  }

  /** The near-identical item that arrived first, and its current story. */
  findReading(
    item: ReadItem,
    query: ReadingQuery,
    indexed: readonly (ComparableItem & { readonly storyId: Id<'story'> })[],
  ): { readonly twin: ComparableItem; readonly storyId: Id<'story'> } | null {
    const isSame = ({ stored }: ComparableItem): boolean =>
      isSameReading(item, { signature: stored.signature, terms: restoreFacts(stored) });
    const twin = [...indexed, ...this.#placedWithKey(query)].find(isSame);
    return twin === undefined ? null : { twin, storyId: this.survivorOf(twin.storyId) };
  }

  /** Items with a comparable text that share a key or the story with the item, in order of arrival, and whether each is a copy. */
  compareTexts(
    { text }: ReadItem,
    query: ReadingQuery,
    indexed: readonly ComparableItem[],
    storyId: Id<'story'> | null,
  ): readonly { readonly other: ComparableItem; readonly alike: boolean }[] {
    if (text === null) return [];
    const members = storyId === null ? [] : (this.#members.get(storyId) ?? []);
    const all = [...indexed, ...this.#placedWithKey(query), ...members];
    const distinct = [...new Map(all.map((other) => [other.itemId, other])).values()];
    return distinct
      .sort((one, other) => (one.arrived < other.arrived ? -1 : 1))
      .flatMap((other) => {
        const { sketch } = other.stored;
        return sketch === undefined ? [] : [{ other, alike: isCopy(text.sketch, restoreSketch(sketch)) }];
      });
  }

  /** The most similar stories, by the sum of the gains of their terms. */
  candidates(
    query: CandidateQuery,
    indexed: readonly TermHits[],
    storiesMax: number,
  ): readonly Id<'story'>[] {
    const masks = new Map<Id<'story'>, number>();
    const add = (storyId: Id<'story'>, mask: number): void => {
      const id = this.survivorOf(storyId);
      masks.set(id, (masks.get(id) ?? 0) | mask);
    };
    for (const { storyId, mask } of indexed) add(storyId, mask);
    for (const [bit, [term]] of query.gains.entries())
      for (const { storyId } of this.#placedWithin(term, query)) add(storyId, 1 << bit);
    const hits = Array.from(masks, ([storyId, mask]): TermHits => ({ storyId, mask }));
    return bestHits(query, hits, storiesMax).map(({ storyId }) => storyId);
  }

  compared(id: Id<'story'>, item: WeighedEntry, items: number): readonly ComparedStory[] {
    const [founder, ...others] = this.#members.get(id) ?? [];
    if (founder === undefined) return [];
    const judged = [founder, ...others.slice(-(judgedMembersMax - 1))];
    const weighed = judged.map(({ itemId, stored }) => [weighStored(stored, item, items), itemId] as const);
    const members = weighed.map(([entry]) => entry) as [WeighedEntry, ...WeighedEntry[]];
    return [{ id, members, itemIds: new Map(weighed), founded: founder.arrived }];
  }

  add(item: PlacedItem, postedTerms: readonly string[]): void {
    for (const term of postedTerms) {
      const known = this.#placed.get(term);
      if (known === undefined) this.#placed.set(term, [item]);
      else known.push(item);
    }
    const { storyId } = item;
    this.#members.set(storyId, [...(this.#members.get(storyId) ?? []), item]);
  }

  merge(survivorId: Id<'story'>, absorbedId: Id<'story'>): void {
    const all = [...(this.#members.get(survivorId) ?? []), ...(this.#members.get(absorbedId) ?? [])];
    this.#members.set(
      survivorId,
      all.toSorted((one, other) => (one.arrived < other.arrived ? -1 : 1)),
    );
    this.#members.delete(absorbedId);
    this.#survivors.set(absorbedId, survivorId);
  }

  survivorOf(id: Id<'story'>): Id<'story'> {
    const survivor = this.#survivors.get(id);
    return survivor === undefined ? id : this.survivorOf(survivor);
  }

  /** In order of arrival. */
  #placedWithKey(query: ReadingQuery): readonly PlacedItem[] {
    const placed = [...new Set(query.keys.flatMap((key) => this.#placedWithin(key, query)))];
    return placed.sort((one, other) => (one.arrived < other.arrived ? -1 : 1));
  }

  #placedWithin(term: string, { from, to }: Pick<ReadingQuery, 'from' | 'to'>): readonly PlacedItem[] {
    const placed = this.#placed.get(term) ?? [];
    return placed.filter(({ reportedAt }) => reportedAt >= from && reportedAt <= to);
  }
}

/** The most similar ones, by the sum of the gains of their terms. */
export function bestHits(
  query: CandidateQuery,
  hits: readonly TermHits[],
  storiesMax: number,
): readonly TermHits[] {
  return hits
    .map((hit) => ({ ...hit, score: scoreOf(query, hit.mask) }))
    .sort((one, other) => other.score - one.score || (one.storyId < other.storyId ? -1 : 1))
    .slice(0, storiesMax);
}

function scoreOf({ gains }: CandidateQuery, mask: number): number {
  let score = 0;
  for (const [bit, [, gain]] of gains.entries()) if (((mask >>> bit) & 1) === 1) score += gain;
  return score;
}

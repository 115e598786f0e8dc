import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds, epochMicroseconds, hourMicroseconds } from '../../foundation/instant.ts';
import { gramsOfText, searchTextOf } from '../../foundation/search-text.ts';
import { composeItemBody } from './item-body.ts';
import type { ItemFacts } from './item-body.ts';
import { itemDigest } from './item-digest.ts';

export interface Source {
  readonly id: Id<'source'>;
  readonly name: string;
  /** Sources of one owner are not independent of each other. */
  readonly owner: string;
  readonly firstParty: boolean;
}

/** The public description of a source beyond its name. */
export interface SourceProfile {
  readonly homepageUrl: string | null;
  /** BCP 47. */
  readonly language: string | null;
  readonly state: 'active' | 'paused' | 'stopped';
}

export interface Item extends ItemFacts {
  readonly id: Id<'item'>;
  readonly sourceId: Id<'source'>;
  readonly groupId: Id<'reading-group'>;
  readonly storyId: Id<'story'> | null;
  /** The owner that it counts for; null: the owner of its source. */
  readonly voice: string | null;
  readonly timelineAt: EpochMicroseconds;
  readonly withdrawnAt: EpochMicroseconds | null;
}

const lateAfter = 72n * hourMicroseconds;
const windowSpan = 8n * dayMicroseconds;

/** The timeline position of an item: late finds and first imports use the source's time. */
export function timelineAtOf(item: {
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly firstImport: boolean;
}): EpochMicroseconds {
  if (item.publishedAt === null) return item.discoveredAt;
  const late = item.discoveredAt - item.publishedAt > lateAfter;
  return late || item.firstImport ? item.publishedAt : item.discoveredAt;
}

/** The part that filters compare: `zh` of `zh-Hans`. */
export function primaryLanguage(language: string | null): string | null {
  return language?.split('-', 1)[0] ?? null;
}

export function publishedKeyOf(item: Pick<ItemFacts, 'publishedAt' | 'discoveredAt'>): EpochMicroseconds {
  return item.publishedAt ?? item.discoveredAt;
}

/** A representative sorts where its reading group first appeared. */
export function timelineKeyOf(
  item: Pick<Item, 'selected' | 'timelineAt'>,
  groupFirstAppearedAt: EpochMicroseconds,
): EpochMicroseconds {
  return item.selected ? groupFirstAppearedAt : item.timelineAt;
}

/** One day more than readers can see, so that a window never ends inside a missing partition. */
export function windowStart(now: EpochMicroseconds): EpochMicroseconds {
  return epochMicroseconds(now - windowSpan);
}

/** Values derived from an item's facts, recomputed whenever one of them changes. */
export function composeItem(item: ItemFacts): {
  readonly body: string;
  readonly digest: Buffer | null;
} {
  return { body: composeItemBody(item), digest: item.selected ? itemDigest(item) : null };
}

export function composeSearch(item: ItemFacts): {
  readonly searchText: string;
  readonly searchGrams: readonly number[];
} {
  const searchText = searchTextOf([item.title, item.originalTitle, item.summary, item.sourceName]);
  return { searchText, searchGrams: gramsOfText(searchText) };
}

import type { EditionKey } from './editions/edition.ts';

/** Dependencies of cached responses: one tag for each list. */
export const recordCacheTags = {
  items: 'items',
  hotTopics: 'hot-topics',
  stories: 'stories',
  editions: 'reports',
  selected: 'selected',
  sources: 'sources',
  corrections: 'corrections',
} as const;

export type RecordCacheTag = (typeof recordCacheTags)[keyof typeof recordCacheTags];

/** Of one item, story or edition. Only shared caches use them; copies in this process depend on the lists. */
export type EntityTag = `item-${string}` | `story-${string}` | `edition-${string}`;

export function itemTag(id: string): EntityTag {
  return `item-${id}`;
}

export function storyTag(id: string): EntityTag {
  return `story-${id}`;
}

export function editionTag({ kind, period }: EditionKey): EntityTag {
  return `edition-${kind}-${period}`;
}

/** The effect of a decision on copies: a stale copy is rebuilt soon, a purged copy is never served again. */
export interface CopyEffects {
  readonly stale: readonly RecordCacheTag[];
  readonly purge: readonly (RecordCacheTag | EntityTag)[];
}

export function stale(...tags: readonly RecordCacheTag[]): CopyEffects {
  return { stale: tags, purge: [] };
}

export function purge(...tags: readonly (RecordCacheTag | EntityTag)[]): CopyEffects {
  return { stale: [], purge: tags };
}

export function combineEffects(...effects: readonly CopyEffects[]): CopyEffects {
  return {
    stale: [...new Set(effects.flatMap((one) => one.stale))],
    purge: [...new Set(effects.flatMap((one) => one.purge))],
  };
}

/** Every list that shows the text of an item. The mirror depends on the ledger instead. */
export const tagsShowingItems: readonly RecordCacheTag[] = [
  recordCacheTags.items,
  recordCacheTags.hotTopics,
  recordCacheTags.stories,
  recordCacheTags.editions,
];

/** A hot topic links to its story. */
export const storiesChanged: CopyEffects = stale(recordCacheTags.stories, recordCacheTags.hotTopics);

/** What copies of answers depend on: publishing marks a tag changed, withdrawing and correcting purge it. */
export const recordCacheTags = {
  items: 'items',
  hotTopics: 'hot-topics',
  stories: 'stories',
  reports: 'reports',
  selected: 'selected',
  sources: 'sources',
  corrections: 'corrections',
} as const;

export type RecordCacheTag = (typeof recordCacheTags)[keyof typeof recordCacheTags];

/** Every surface that shows an item's words. The mirror follows the ledger instead. */
export const tagsShowingItems: readonly RecordCacheTag[] = [
  recordCacheTags.items,
  recordCacheTags.hotTopics,
  recordCacheTags.stories,
  recordCacheTags.reports,
];

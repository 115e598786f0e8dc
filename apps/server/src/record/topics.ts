/** What copies of answers depend on: publishing marks a topic changed, withdrawing and correcting purge it. */
export const recordTopics = {
  items: 'items',
  hotTopics: 'hot-topics',
  stories: 'stories',
  reports: 'reports',
  selected: 'selected',
} as const;

export type RecordTopic = (typeof recordTopics)[keyof typeof recordTopics];

/** Every surface that shows an item's words. The mirror follows the ledger instead. */
export const topicsShowingItems: readonly RecordTopic[] = [
  recordTopics.items,
  recordTopics.hotTopics,
  recordTopics.stories,
  recordTopics.reports,
];

export type { ItemState } from './item-decisions/inspect-item.ts';
export type { ItemToPublish } from './item-decisions/publish-items.ts';
export type { StoryState } from './stories/inspect-story.ts';
export type { BeforeMerge } from './stories/merge-stories.ts';

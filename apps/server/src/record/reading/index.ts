// Types that the record returns, for the modules that present it.
export type { StoryDigest } from '../stories/story.ts';
export type { RecordedCorrection } from './correction-reading-store.ts';
export type { ItemContext } from './item-context-store.ts';
export type { ItemFilter, ItemSpan, ListedItem } from './item-reading-store.ts';
export type { LedgerHead } from './ledger-reading-store.ts';
export type { RankedItem } from './ranking-reading-store.ts';
export type { HistoryKind } from './read-history.ts';
export type { RecordedSource, SourcesRequest } from './source-reading-store.ts';
export type { CoverageItem, LinkedStory, RecordedStory, StoryItem } from './story-reading-store.ts';

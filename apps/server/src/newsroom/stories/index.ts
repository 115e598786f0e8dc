export { mergeStories, splitStory } from './editor-decisions.ts';
export { explainItem, explainStory } from './explain-story.ts';
export { aliasTable, builtInAliases, parseAliases, shippedStoryModel } from './matching/index.ts';
export type { AliasEntry, ReadReport } from './matching/index.ts';
export { placeReports, readReport, reportedAt } from './place-reports.ts';
export type { StoryDeps } from './place-reports.ts';
export { ReportCache } from './report-cache.ts';
export type { Placement } from './placement-batch.ts';
export type { StoryDecisionKind } from './story-decision-store.ts';
export { insertStoryDecisions } from './story-decision-store.ts';
export {
  insertStoryReports,
  isPlacementFree,
  notePublished,
  notePublishing,
  tryPlacementTurn,
} from './story-index-store.ts';
export { createStoryUpkeep } from './story-upkeep.ts';

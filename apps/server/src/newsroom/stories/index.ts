export { mergeStories, splitStory } from './editor-decisions.ts';
export { explainItem, explainStory } from './explain-story.ts';
export { aliasTable, builtInAliases, parseAliases, shippedStoryModel } from './matching/index.ts';
export type { AliasEntry } from './matching/index.ts';
export { publishReport } from './publish-report.ts';
export type { Decisions, StoryDeps } from './publish-report.ts';
export type { StoryDecisionKind } from './story-decision-store.ts';
export { createStoryUpkeep } from './story-upkeep.ts';

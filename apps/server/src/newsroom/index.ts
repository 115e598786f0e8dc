export { evaluateLabelledText, sweepChart } from './copy/judgement/index.ts';
export { createEditorDesk } from './corrections/editor-desk.ts';
export type { EditorDesk } from './corrections/editor-desk.ts';
export { registerNewsroomMetrics } from './newsroom-metrics.ts';
export {
  createPollDeps,
  newsroomEditions,
  newsroomWork,
  preparationThread,
  editionSettings,
} from './newsroom-work.ts';
export type { NewsroomDeps, NewsroomModel } from './newsroom-work.ts';
export { createPublicationDesk } from './publication/publication-desk.ts';
export { replayEdition } from './editions/replay-edition.ts';
export type { Replay } from './editions/replay-edition.ts';
export { isFeed, readOpml, writeOpml } from './sources/opml.ts';
export { createSourceDesk } from './sources/source-desk.ts';
export type { SourceDesk } from './sources/source-desk.ts';
export { feedAddressOf, healthVerdict, settingsFor } from './sources/source.ts';
export type { Source, SourceSettings } from './sources/source.ts';
export type { SourceSignIn } from './sources/source-authorization.ts';
export { readStarterPack } from './sources/starter-pack.ts';
export { explainItem, explainStory } from './stories/explain-story.ts';
export { parseAliases } from './stories/matching/aliases.ts';
export { createFetcher } from './wire/fetch/fetcher.ts';
export { userAgent } from './wire/fetch/user-agent.ts';
export { hubRoutes } from './wire/hubs/hub-routes.ts';
export type { ListForm } from './wire/parse/parse-feed.ts';
export { defaultPace, pushedPollSpacingMs } from './wire/schedule/next-poll.ts';

export type {
  Article,
  Category,
  Facts,
  Figure,
  KindName,
  Language,
  Organization,
  Outlet,
  OutletShape,
  Pair,
  Person,
  Dispatch,
  Role,
} from './dispatch.ts';
export type {
  Contradiction,
  DigestSentence,
  StoryNeighbour,
  StoryTruth,
  TruthOptions,
} from './truth/story-truth.ts';
export type { StandingEntry } from './feed/standing-entries.ts';
export type { Source } from './site/sources.ts';
export { sourcesOpml } from './site/sources.ts';
export { createWorld } from './world.ts';
export type { World, WorldSettings } from './world.ts';
export { searchTerms } from './search-terms.ts';
export type { SearchClass, SearchTerm } from './search-terms.ts';
export type { Fault, FaultScope } from './fault/fault.ts';
export type { Counters, DomainCounts } from './server/counters.ts';
export type { Hub, HubSubscriber, SignatureMethod } from './server/hub.ts';
export { startPublishers } from './server/publishers.ts';
export type { Publishers, PublisherSettings } from './server/publishers.ts';

export { phraseEdition } from './edition-phrases.ts';
export type { EditionPeriod, EditionPhrasing } from './edition-phrases.ts';
export type {
  Category,
  Facts,
  Figure,
  KindName,
  Language,
  Organization,
  Outlet,
  Pair,
  Person,
  Report,
  Role,
} from './report.ts';
export type {
  Contradiction,
  DigestSentence,
  StoryNeighbour,
  StoryTruth,
  TruthOptions,
} from './story-truth.ts';
export { createWorld } from './world.ts';
export type { World, WorldSettings } from './world.ts';
export { searchTerms } from './search-terms.ts';
export type { SearchClass, SearchTerm } from './search-terms.ts';

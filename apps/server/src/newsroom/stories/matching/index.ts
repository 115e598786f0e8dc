export { aliasTable, builtInAliases, parseAliases } from './aliases.ts';
export type { AliasEntry, AliasTable } from './aliases.ts';
export { assignReport, judgedMembersMax, mergeLikelihood } from './assign-report.ts';
export type { Assignment, CandidateVerdict, StoryCandidate } from './assign-report.ts';
export { rarity } from './corpus-statistics.ts';
export type { CorpusStatistics } from './corpus-statistics.ts';
export { entryTerms, indexTerms, postedTerms } from './entry-terms.ts';
export type { EntryTerms, Term } from './entry-terms.ts';
export {
  featureNames,
  headlineFeatureNames,
  pairFeatures,
  pairLanguages,
  textFeatureNames,
  weighEntry,
} from './pair-features.ts';
export type { FeatureName, PairFeatures, PairLanguages } from './pair-features.ts';
export { shippedStoryModel } from './story-model.ts';
export type { PairWeights, StoryModel } from './story-model.ts';
export { isSameReading, readingKeys, readingSignature } from './reading-groups.ts';
export type { ReadReport } from './reading-groups.ts';
export { readEntry } from './read-entry.ts';
export { allPostedTerms, restoreFacts, storeReport, weighStored } from './stored-report.ts';
export type { StoredReport } from './stored-report.ts';
export type { WeighedEntry } from './weighed-entry.ts';

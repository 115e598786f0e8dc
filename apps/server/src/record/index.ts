export { editionTag, itemTag, recordCacheTags, storyTag } from './cache-tags.ts';
export { categories } from './items/category.ts';
export type { Category } from './items/category.ts';
export type { Decisions, Publisher } from './publish.ts';
export type { RecordReader } from './reader.ts';
/** Inputs and results of decisions. */
export type * as decisions from './decision-types.ts';
export * as corrections from './corrections/correction.ts';
export * as editions from './editions/index.ts';
export * as items from './items/index.ts';
export * as publicPaths from './public-paths.ts';
export * as recorded from './reading/index.ts';

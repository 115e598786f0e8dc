export { findQuotableTexts, readQuotableText } from './quotable-texts.ts';
export { picturedFiles, sendPicture } from './read-picture.ts';
export { isTextQuery, readText, searchTexts } from './search-texts.ts';
export type { ReadableText } from './text-store.ts';

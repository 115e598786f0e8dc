export { itemEntry } from './feed-documents.ts';
export type { FeedFormat } from './feed-writer.ts';
export { feedContentTypes, writeFeed } from './feed-writer.ts';

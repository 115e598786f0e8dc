export type { McpNews, MirrorReads } from './news.ts';
export type { NewsMcpHandler } from './server.ts';
export { createNewsHandler } from './server.ts';

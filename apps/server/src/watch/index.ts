export type { WatchRoutesDeps as WatchDeps } from './openapi-watch.ts';
export { auditKinds } from './audit-kinds.ts';
export * as savedSearches from './searches/index.ts';
export * as privateFeeds from './feeds/index.ts';
export * as watchMail from './mails/index.ts';
export * as webhooks from './webhooks/index.ts';

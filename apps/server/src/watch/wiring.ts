/** For wiring and the commands: how processes serve saved searches and do their background work. */
export { feedAddresses } from './feeds/change-feed-address.ts';
export { readUndeliveredWatchMail, watchMailLimits } from './mails/watch-mail-store.ts';
export type { WatchRoutesDeps } from './openapi-watch.ts';
export { describeWatchApi, watchRoutes } from './openapi-watch.ts';
export { deleteAllAddresses, deleteWatchOf, stopRestoredWatchMail } from './watch-housekeeping-store.ts';
export { registerWatchMetrics, watchWork } from './watch-work.ts';
export { sealedColumns, webhookKind } from './webhooks/change-webhooks.ts';

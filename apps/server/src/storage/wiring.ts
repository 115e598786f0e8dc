/** For wiring and the commands: how processes open storage, serve it and do its background work. */
export type { Bucket } from './bucket/bucket.ts';
export { openBucket } from './bucket/open-bucket.ts';
export { setUpBucket } from './bucket/set-up-bucket.ts';
export { whyNoSandbox } from './derived/sandbox.ts';
export { probeScanner } from './inspection/complete-scans.ts';
export { deleteAllLinks } from './links/link-store.ts';
export { linkKind } from './links/change-links.ts';
export { describeStorageApi, storageRoutes } from './openapi-storage.ts';
export { readQuotas, setQuota } from './files/quota-store.ts';
export { revokingEvents } from './shares/restored-shares.ts';
export { trashAllProjects } from './projects/project-store.ts';
export type { StorageSettings } from './storage-deps.ts';
export { registerStorageMetrics } from './storage-metrics.ts';
export { createStorageWork } from './storage-upkeep.ts';
export { endForbiddenUploads } from './uploads/open-uploads.ts';
export { verifyStorage } from './verify-storage.ts';

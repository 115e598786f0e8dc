export { startBucketServer } from './bucket-server.ts';
export type { BucketServer } from './bucket-server.ts';

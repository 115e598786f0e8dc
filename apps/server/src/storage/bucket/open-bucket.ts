import type { Bucket } from './bucket.ts';
import { createFolderBucket } from './folder-bucket.ts';
import type { S3Settings } from './s3-bucket.ts';
import { createS3Bucket } from './s3-bucket.ts';

export type BucketSettings =
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Settings);

/** What the configuration names. Nothing is asked of S3 yet: an api starts also while the bucket is away. */
export async function openBucket(settings: BucketSettings): Promise<Bucket> {
  return settings.kind === 'folder' ? createFolderBucket(settings.folder) : createS3Bucket(settings);
}

import type { Bucket } from './bucket.ts';
import { createFolderBucket } from './folder-bucket.ts';
import type { S3Settings } from './s3-bucket.ts';

export type BucketSettings =
  | { readonly kind: 'folder'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Settings);

/** The configured bucket. Sends no request to S3 yet: an api also starts while the bucket is unreachable. */
export async function openBucket(
  settings: BucketSettings,
  /** Another service of the machine reads the objects of a folder, as a member of its group. */
  { groupReads = false } = {},
): Promise<Bucket> {
  if (settings.kind === 'folder') return createFolderBucket(settings.folder, groupReads ? 0o640 : 0o600);
  // Loads the AWS SDK.
  const { createS3Bucket } = await import('./s3-bucket.ts');
  return createS3Bucket(settings);
}

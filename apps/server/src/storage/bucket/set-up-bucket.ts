import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { CORSRule, LifecycleRule, S3Client } from '@aws-sdk/client-s3';
import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';

import type { BucketSettings } from './open-bucket.ts';
import { absent, createS3Client } from './s3-bucket.ts';

/** Uploads expire after a day; uploads that are older than this belong to a lost database. */
const abortAfterDays = 7;

/**
 * Applies the settings of the bucket itself, and returns a description of the changes. Rules with other names stay
 * unchanged; a second run changes nothing. A folder needs no settings.
 */
export async function setUpBucket(
  settings: BucketSettings,
  /** Origins of pages that send bytes to the bucket and read from it. */
  origins: readonly string[],
): Promise<readonly string[]> {
  if (settings.kind === 'folder') return [];
  const client = createS3Client(settings);
  addContentMd5(client);
  try {
    const cors = await setCors(client, settings.bucket, origins);
    const lifecycle = await setLifecycle(client, settings.bucket);
    return [
      ...(cors ? [`CORS: pages of ${origins.join(', ')} may read from it and send parts to it`] : []),
      ...(lifecycle ? [`lifecycle: multipart uploads are aborted after ${abortAfterDays} days`] : []),
    ];
  } finally {
    client.destroy();
  }
}

async function setCors(client: S3Client, bucket: string, origins: readonly string[]): Promise<boolean> {
  const own = {
    ID: 'daybook',
    AllowedOrigins: [...origins].sort(),
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['content-md5', 'content-type', 'range'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: 3_600,
  } satisfies CORSRule;
  const { CORSRules = [] } =
    (await client
      .send(new GetBucketCorsCommand({ Bucket: bucket }))
      .catch(absent('NoSuchCORSConfiguration', 'NoSuchCORSConfigurationError'))) ?? {};
  const present = CORSRules.find(({ ID }) => ID === own.ID);
  // Servers return lists in their own order.
  if (present !== undefined && isDeepStrictEqual(inOrder(present), inOrder(own))) return false;
  const rules = [...CORSRules.filter(({ ID }) => ID !== own.ID), own];
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: rules } }));
  return true;
}

function inOrder(rule: CORSRule) {
  const lists = [rule.AllowedOrigins, rule.AllowedMethods, rule.AllowedHeaders, rule.ExposeHeaders];
  return [...lists.map((list = []) => list.map((one) => one.toLowerCase()).sort()), rule.MaxAgeSeconds];
}

async function setLifecycle(client: S3Client, bucket: string): Promise<boolean> {
  const own = {
    ID: 'daybook-abort-forgotten-uploads',
    Status: 'Enabled',
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: abortAfterDays },
  } satisfies LifecycleRule;
  const { Rules = [] } =
    (await client
      .send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket }))
      .catch(absent('NoSuchLifecycleConfiguration'))) ?? {};
  const present = Rules.find(({ ID }) => ID === own.ID);
  const days = present?.AbortIncompleteMultipartUpload?.DaysAfterInitiation;
  if (present?.Status === own.Status && days === abortAfterDays) return false;
  const rules = [...Rules.filter(({ ID }) => ID !== own.ID), own];
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules: rules } }),
  );
  return true;
}

/** These requests require a checksum, and servers other than Amazon's support only this one. */
function addContentMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const { request } = args as { readonly request: { headers: Record<string, string>; body?: unknown } };
      if (typeof request.body === 'string') {
        const newer = Object.keys(request.headers).filter((name) => /^x-amz-(?:sdk-)?checksum/.test(name));
        for (const name of newer) delete request.headers[name];
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
      }
      return next(args);
    },
    { step: 'build', priority: 'low', name: 'addContentMd5' },
  );
}

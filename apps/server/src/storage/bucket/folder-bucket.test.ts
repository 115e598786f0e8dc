import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe } from 'vitest';

import { testBucketContract } from '../../../test/bucket-contract.ts';
import { createFolderBucket } from './folder-bucket.ts';

describe('folder bucket', () => {
  testBucketContract(async () => {
    const root = await mkdtemp(join(tmpdir(), 'daybook-bucket-'));
    return { bucket: await createFolderBucket(root), stop: () => rm(root, { recursive: true }) };
  }, 40);
});

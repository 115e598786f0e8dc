import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { BucketServer } from '@daybook/local-bucket';
import { startBucketServer } from '@daybook/local-bucket';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { createS3Bucket } from './bucket/s3-bucket.ts';
import { discardLeftovers } from './uploads/finish-uploads.ts';
import { findUpload, markCompleting } from './uploads/upload-store.ts';
import type { Upload, UploadId } from './uploads/upload.ts';
import { verifyStorage } from './verify-storage.ts';

let server: BucketServer;
let bucket: ReturnType<typeof createS3Bucket>;
let stage: TestStorage;
let project: string;

// More than the head of an object has room for.
const bytes = randomBytes(5 * 1024 * 1024);
const completesAtOnce = 12;

/** All its bytes have arrived, and a completing request has marked it. */
async function newUpload(): Promise<Upload> {
  const fields = { projectId: project, name: randomBytes(8).toString('hex'), size: bytes.length };
  const id = (await stage.send('POST', '/api/v1/uploads', stage.owner, fields)).json()['id'] as UploadId;
  const asked = { parts: [{ number: 1 }] };
  const signed = await stage.send('POST', `/api/v1/uploads/${id}/parts`, stage.owner, asked);
  const { parts } = signed.json() as unknown as { readonly parts: readonly { readonly url: string }[] };
  await fetch(parts[0]?.url ?? '', { method: 'PUT', body: new Uint8Array(bytes) });
  const upload = await findUpload(stage.access.database, id);
  if (upload === null) throw new Error('no upload');
  await markCompleting(stage.access.database, upload, { name: upload.stagedName ?? '', sha256: null });
  return upload;
}

const complete = async ({ id }: Upload): Promise<unknown> =>
  (await stage.send('POST', `/api/v1/uploads/${id}/complete`, stage.owner, {})).json()['fileId'];

const findings = async (): Promise<readonly string[]> =>
  (await verifyStorage(stage.upkeep)).flatMap(({ offenders }) => offenders);

/** Uploads that the server still lists as staged, because it was killed while it completed them. */
async function killWhileCompleting(afterMs: number): Promise<readonly Upload[]> {
  const uploads: Upload[] = [];
  for (let at = 0; at < completesAtOnce; at += 1) uploads.push(await newUpload());
  const published = Promise.allSettled(uploads.map(({ stagedName }) => bucket.publish(stagedName ?? '')));
  await delay(afterMs);
  await server.kill();
  await published;
  await server.start();
  const staged = new Set(await Array.fromAsync(bucket.staged()));
  return uploads.filter(({ stagedName }) => staged.has(stagedName ?? ''));
}

/** This many that also have an object. The moment between the two is short: the test searches for it. */
async function leaveBoth(count: number): Promise<readonly Upload[]> {
  const found: Upload[] = [];
  for (let afterMs = 50; found.length < count;) {
    const staged = await killWhileCompleting(afterMs);
    for (const upload of staged) if ((await bucket.sizeOf(upload.blobKey)) !== null) found.push(upload);
    if (staged.length === completesAtOnce) afterMs *= 1.2;
    else afterMs *= staged.length === 0 ? 0.8 : 1.02;
  }
  return found;
}

describe('an S3 server that is killed while it completes uploads', () => {
  beforeAll(async () => {
    server = await startBucketServer();
    bucket = createS3Bucket(server);
    stage = await startTestStorage({ bucket });
    await stage.giveRoom(10e9);
    project = (await stage.newProject()).id;
  }, 240_000);
  afterAll(async () => {
    await stage.stop();
    await server.remove();
  });

  test('ends uploads that a killed server left staged beside their object, and keeps the object', async () => {
    const [lost, ...kept] = (await leaveBoth(3)) as [Upload, ...Upload[]];
    const files = await Promise.all(kept.map(complete));
    const namesOfKept = kept.map(({ stagedName }) => stagedName);
    expect(new Set(await findings())).toEqual(new Set(namesOfKept));
    await discardLeftovers(stage.upkeep);
    // Shows that the others were in danger, and that the server has freed the aborted bytes.
    await bucket.discard(lost.stagedName ?? '');
    const canBeRead = () =>
      bucket.open(lost.blobKey, null, new AbortController().signal).then(
        (body) => body.destroy().destroyed,
        () => false,
      );
    await expect.poll(canBeRead, { timeout: 30_000, interval: 500 }).toBe(false);
    for (const file of files) expect((await stage.contentOf(file)).body.equals(bytes)).toBe(true);
    expect((await Array.fromAsync(bucket.staged())).filter((name) => namesOfKept.includes(name))).toEqual([]);
    expect(await findings()).toEqual([]);
  }, 240_000);
});

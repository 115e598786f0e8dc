import { Readable } from 'node:stream';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { ask } from '../../test/http-client.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { dayMs } from '../foundation/clock.ts';
import type { WorkflowContext } from '../foundation/engine/engine-declarations.ts';
import { addMs } from '../foundation/instant.ts';
import { createStorageUpkeep } from './storage-upkeep.ts';
import { removeGarbage } from './trash/empty-trash.ts';
import { discardLeftovers } from './uploads/finish-uploads.ts';
import { findUpload } from './uploads/upload-store.ts';
import type { UploadId } from './uploads/upload.ts';

let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

test('runs all steps although one fails, and fails the run', async () => {
  const file = await stage.newFile((await stage.newProject()).id, 'a', 'bytes');
  await stage.send('DELETE', `/api/v1/files/${file.id}`, stage.owner);
  const later = { now: () => addMs(stage.clock.now(), 31 * dayMs), nowMs: stage.clock.nowMs };
  const staged = () => {
    throw new Error('the bucket cannot be reached');
  };
  const deps = { ...stage.upkeep, clock: later, bucket: { ...stage.bucket, staged } };
  const asked: string[] = [];
  const step = async (name: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> => {
    asked.push(name);
    return work(new AbortController().signal);
  };
  await expect(createStorageUpkeep(deps).run({ step } as WorkflowContext)).rejects.toThrow('1 steps failed');
  expect(asked).toEqual([
    'uploads',
    'reservations',
    'leftovers',
    'trash',
    'versions',
    'rescans',
    'texts',
    'links',
    'shares',
    'garbage',
  ]);
  const entries = stage.access.database.selectFrom('storage.entry').select('name');
  expect(await entries.where('id', '=', file.id).execute()).toEqual([]);
});

test('leaves a transient error to the engine, which repeats the step', async () => {
  const lost = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  let attempts = 0;
  const staged = () => {
    attempts += 1;
    if (attempts === 1) throw lost;
    return stage.bucket.staged();
  };
  const repeated: unknown[] = [];
  const step = async (_: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> => {
    const { signal } = new AbortController();
    return work(signal).catch((error: unknown) => {
      repeated.push(error);
      return work(signal);
    });
  };
  const upkeep = createStorageUpkeep({ ...stage.upkeep, bucket: { ...stage.bucket, staged } });
  await upkeep.run({ step } as WorkflowContext);
  expect(repeated).toEqual([lost]);
});

test('does not restore an object that is removed while its upload is being ended', async () => {
  const { id: projectId } = await stage.newProject();
  const fields = { projectId, name: 'a', size: 5 };
  const id = (await stage.send('POST', '/api/v1/uploads', stage.owner, fields)).json()['id'] as UploadId;
  const content = `/api/v1/uploads/${id}/content`;
  await ask(stage.app.port, content, { method: 'PUT', headers: stage.owner, body: '12345' });
  const upload = await findUpload(stage.access.database, id);
  if (upload?.fileId === undefined || upload.fileId === null) throw new Error('no file');
  await stage.send('DELETE', `/api/v1/files/${upload.fileId}`, stage.owner);
  await stage.send('POST', `/api/v1/files/${upload.fileId}/purge`, stage.owner, {});
  const deps = { ...stage.upkeep, settings: { ...stage.upkeep.settings, graceDays: 0 } };
  const writeAgain = async (): Promise<void> => {
    await removeGarbage(deps);
    const again = { body: Readable.from([Buffer.from('12345')]), size: 5 };
    await stage.bucket.put(upload.blobKey, again, new AbortController().signal);
  };
  const staged = async function* left() {
    yield upload.stagedName ?? '';
  };
  await discardLeftovers({ ...deps, bucket: { ...stage.bucket, staged, discardPublished: writeAgain } });
  expect(await stage.bucket.sizeOf(upload.blobKey)).toBe(null);
});

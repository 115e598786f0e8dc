import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import type { WorkflowContext } from '../foundation/engine/engine-declarations.ts';
import { addMs } from '../foundation/instant.ts';
import { dayMs } from './storage-deps.ts';
import { createStorageUpkeep } from './storage-upkeep.ts';

let stage: TestStorage;
beforeAll(async () => {
  stage = await startTestStorage();
});
afterAll(() => stage.stop());

test('a step that fails keeps none of the others from its work, and the run fails', async () => {
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
  expect(asked).toEqual(['uploads', 'leftovers', 'trash', 'versions', 'links', 'garbage']);
  const entries = stage.access.database.selectFrom('storage.entry').select('name');
  expect(await entries.where('id', '=', file.id).execute()).toEqual([]);
});

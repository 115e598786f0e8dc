import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { TestMember } from '../../test/access.ts';
import type { Answer } from '../../test/http-client.ts';
import { expectProblem } from '../../test/http-client.ts';
import type { TestStorage } from '../../test/storage.ts';
import { startTestStorage } from '../../test/storage.ts';
import { run } from './storage-command.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const reserve = (fields: object, { headers }: TestMember): Promise<Answer> =>
  stage.send('POST', '/api/v1/uploads', headers, { projectId: project, size: 5, ...fields });
const setTo = async (...words: readonly string[]): Promise<string> => {
  vi.stubEnv('DATABASE_URL', stage.database.urls.application);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await run(['quota', stage.acme.key, ...words]);
    return log.mock.calls.flat().join('');
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
};

test('an operator sets the quota of an organization, a project and a person', async () => {
  const small = (await stage.newProject()).id;
  const member = await stage.acme.addMember('member');
  const place = { projectId: small };
  expect(await setTo('1KB', '--project', small)).toBe('0 bytes used or reserved. Quota: 1024 bytes.');
  expect((await reserve({ ...place, name: 'a', size: 1_000 }, member)).status).toBe(201);
  const inProject = await reserve({ ...place, name: 'b', size: 25 }, member);
  expectProblem(inProject, 409, 'quota_exceeded');
  expect(inProject.json()['detail']).toContain('project');
  expect(await setTo('2kb', '--person', member.username)).toBe(
    '1000 bytes used or reserved. Quota: 2048 bytes.',
  );
  expect((await reserve({ name: 'c', size: 1_048 }, member)).status).toBe(201);
  expectProblem(await reserve({ name: 'd', size: 1 }, member), 409, 'quota_exceeded');
  expect(await setTo('default', '--person', member.username)).toContain('Quota: default.');
  expect((await reserve({ name: 'd', size: 1 }, member)).status).toBe(201);
  expect(await setTo('0')).toContain('Quota: 0 bytes.');
  expectProblem(await reserve({ name: 'e', size: 1 }, member), 409, 'quota_exceeded');
  await setTo('default');
  await expect(setTo('1XB')).rejects.toThrow('Invalid size');
  await expect(setTo('1GB', '--person', 'no-such-person')).rejects.toThrow(
    'Organization, project or person not found.',
  );
});

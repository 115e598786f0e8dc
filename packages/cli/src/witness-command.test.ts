import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseVerifierKey, verifyCheckpoint } from '@daybook/client/log';
import type { VerifierKey } from '@daybook/client/log';
import { writeWitnessRequest } from '@daybook/client/log/witness';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TestLog } from '../../client/test/test-log.ts';
import { serveWitness } from './witness-command.ts';
import { createWitnessFolder } from './witness-files.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'daybook-witness-')), 'witness');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const now = (): number => 1_790_000_000;

test('a witness cosigns over HTTP, and remembers after a restart what it cosigned', async () => {
  const log = await TestLog.create();
  for (let count = 0; count < 3; count += 1) await log.append(`item ${count}`, { title: `Item ${count}` });
  const verifierKey = await createWitnessFolder(folder, 'witness.example/w');
  await expect(createWitnessFolder(folder, 'witness.example/w')).rejects.toThrow('EEXIST');
  await writeFile(join(folder, 'logs.txt'), `# A log\n${log.key.verifierKey}\n`);
  const send = async (old: number, size: number) => {
    const served = await serveWitness(folder, 0, now);
    const request = writeWitnessRequest({ old, proof: [], note: await log.checkpoint(size) });
    try {
      const init = { method: 'POST', body: request };
      const answer = await fetch(`http://127.0.0.1:${served.port}/add-checkpoint`, init);
      return { status: answer.status, text: await answer.text() };
    } finally {
      await served.close();
    }
  };
  const cosigned = await send(0, 2);
  const keys = await Promise.all([log.key.verifierKey, verifierKey].map(parseVerifierKey));
  const [logKey, witnessKey] = keys as [VerifierKey, VerifierKey];
  const note = `${await log.checkpoint(2)}${cosigned.text}`;
  expect(
    (await verifyCheckpoint(note, { logKeys: [logKey], witnessKeys: [witnessKey] }))?.witnesses,
  ).toMatchObject([{ name: 'witness.example/w' }]);
  expect(await send(0, 3)).toEqual({ status: 409, text: '2\n' });
  expect(
    await readFile(
      join(folder, (await readdir(folder)).find((one) => one.endsWith('.checkpoint')) ?? ''),
      'utf8',
    ),
  ).toBe(await log.checkpoint(2));
});

test('other requests, large requests and lines that are not keys are refused', async () => {
  await createWitnessFolder(folder, 'witness.example/w');
  const served = await serveWitness(folder, 0, now);
  const status = async (path: string, init: RequestInit) =>
    (await fetch(`http://127.0.0.1:${served.port}${path}`, init)).status;
  try {
    expect(await status('/', { method: 'POST', body: '' })).toBe(404);
    expect(await status('/add-checkpoint', {})).toBe(405);
    expect(await status('/add-checkpoint', { method: 'POST', body: 'x' })).toBe(400);
    expect(await status('/add-checkpoint', { method: 'POST', body: 'x'.repeat(70_000) })).toBe(413);
  } finally {
    await served.close();
  }
  await writeFile(join(folder, 'logs.txt'), 'not a key\n');
  await expect(serveWitness(folder, 0, now)).rejects.toThrow('is not the key of a log');
});

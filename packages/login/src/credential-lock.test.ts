import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { withCredentialLock } from './credential-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-login-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('runs one task at a time within a process', async () => {
  let [working, most] = [0, 0];
  const work = async (): Promise<void> => {
    working += 1;
    most = Math.max(most, working);
    await new Promise(setImmediate);
    working -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withCredentialLock(folder, work)));
  expect(most).toBe(1);
});

test('releases the lock after a failed task', async () => {
  const failing = withCredentialLock(folder, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withCredentialLock(folder, async () => 'yes')).toBe('yes');
});

test('releases the lock of a killed process', async () => {
  const module = new URL('./credential-lock.ts', import.meta.url).href;
  const program = `import { withCredentialLock } from '${module}';
    process.on('disconnect', () => process.exit());
    await withCredentialLock(process.argv[1], async () => {
      process.send('held');
      await new Promise((resolve) => process.once('message', resolve));
    });`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program, folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(holder, 'message');
  const enter = (waitMaxMs?: number) => withCredentialLock(folder, async () => 'entered', waitMaxMs);
  await expect(enter(0)).rejects.toThrow(/timed out waiting for another daybook command/);
  const waiting = enter();
  holder.kill('SIGKILL');
  expect(await waiting).toBe('entered');
});

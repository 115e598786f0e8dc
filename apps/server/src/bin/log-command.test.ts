import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { captureCommand } from '../../test/captured-command.ts';
import { run } from './log-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybook-log-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const log = (...words: readonly string[]) =>
  captureCommand(run, words, {
    DATABASE_URL: 'postgres://unused',
    DAYBOOK_LOG_KEY_FILE: join(folder, 'log.key'),
  });

const accessTo = (file: string) => {
  const { mode, uid, gid } = statSync(join(folder, file));
  return { mode: (mode & 0o777).toString(8), uid, gid };
};

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  'lets workers read a key that root creates, as members of the group of its folder',
  async () => {
    chownSync(folder, 0, 4_321);
    await log('keygen');
    expect(accessTo('log.key')).toEqual({ mode: '640', uid: 0, gid: 4_321 });
    await log('rotate');
    expect(accessTo('log.key')).toEqual({ mode: '640', uid: 0, gid: 4_321 });
  },
);

test('rotates and retires keys in a file that stays as readable as it was', async () => {
  await log('keygen');
  chmodSync(join(folder, 'log.key'), 0o440);
  await log('rotate');
  expect(accessTo('log.key').mode).toBe('440');
  await log('retire');
  expect(accessTo('log.key').mode).toBe('440');
});

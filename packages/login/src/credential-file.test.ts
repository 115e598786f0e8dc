import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Credentials } from './credential-file.ts';
import {
  credentialFolder,
  makeCredentialFolder,
  readCredentials,
  writeCredentials,
} from './credential-file.ts';

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'daybook-login-'));
  folder = credentialFolder({ env: {}, home });
  await makeCredentialFolder(folder);
});
afterEach(() => rm(home, { recursive: true }));

const credentials: Credentials = {
  accessToken: 'access',
  refreshToken: 'refresh',
  issuedAtMs: 1,
  lifetimeSeconds: 3600,
  email: 'you@example.org',
};
const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('the folder is the configured one, or in the home folder where that is relative or missing', () => {
  const at = (XDG_CONFIG_HOME: string | undefined) =>
    credentialFolder({ env: { XDG_CONFIG_HOME }, home: '/home/you' });
  expect([at('/config'), at('config'), at(undefined)]).toEqual([
    '/config/daybook',
    '/home/you/.config/daybook',
    '/home/you/.config/daybook',
  ]);
});

test('writes a file that only the owner can read, and leaves no other file', async () => {
  await writeCredentials(folder, 'https://one.example', credentials);
  await writeCredentials(folder, 'https://one.example', { ...credentials, accessToken: 'newer' });
  expect([await mode(folder), await mode(join(folder, 'credentials.json'))]).toEqual(['700', '600']);
  expect(await readdir(folder)).toEqual(['credentials.json']);
});

test('stores servers separately, and deletes one without the others', async () => {
  await writeCredentials(folder, 'https://one.example', credentials);
  await writeCredentials(folder, 'https://two.example', { ...credentials, accessToken: 'two' });
  await writeCredentials(folder, 'https://one.example', null);
  expect(await readCredentials(folder, 'https://one.example')).toBeNull();
  expect(await readCredentials(folder, 'https://two.example')).toMatchObject({ accessToken: 'two' });
  expect(await readFile(join(folder, 'credentials.json'), 'utf8')).not.toContain('one.example');
});

test('refuses a file that others can read, and prints the fix', async () => {
  await writeCredentials(folder, 'https://one.example', credentials);
  await chmod(join(folder, 'credentials.json'), 0o640);
  await expect(readCredentials(folder, 'https://one.example')).rejects.toThrow(
    /run: chmod 600 .*credentials\.json$/,
  );
});

test.each(['', '{', 'null', '[]', '{"version":2,"servers":{}}'])(
  'a damaged file (%s) is named',
  async (content) => {
    await writeFile(join(folder, 'credentials.json'), content, { mode: 0o600 });
    await expect(readCredentials(folder, 'https://one.example')).rejects.toThrow(/is damaged; remove it/);
  },
);

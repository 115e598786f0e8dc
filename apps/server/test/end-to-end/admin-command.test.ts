import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../database.ts';
import { createTestDatabase } from '../database.ts';
import { testSecretKey } from '../identity.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const program = fileURLToPath(new URL('../../src/bin/daybook.ts', import.meta.url));

async function admin(words: string, input: string, secretKey = testSecretKey) {
  const child = spawn(process.execPath, [program, 'admin', ...words.split(' ')], {
    env: { DATABASE_URL: database.urls.application, DAYBOOK_SECRET_KEY: secretKey },
  });
  child.stdin.end(input);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, error };
}

const owner = 'create-owner --username ada --email ada@example.org --organization acme --superuser';

test('creates the first organization and its owner, with the password on standard input', async () => {
  expect(await admin(owner, 'correct horse battery\n')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Created account [0-9a-f-]{36}/) as string,
  });
  const rows = await database.asSuperuser(
    `SELECT account.username, account.superuser, organization.key, membership.role
     FROM identity.account JOIN identity.organization ON organization.id = account.organization_id
     JOIN identity.organization_membership AS membership ON membership.account_id = account.id`,
  );
  expect(rows).toEqual([{ username: 'ada', superuser: true, key: 'acme', role: 'owner' }]);
});

test('refuses a second one of the same name, a short password and a missing secret key with a message', async () => {
  expect(await admin(owner, 'correct horse battery\n')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/taken/) as string,
  });
  const other = 'create-owner --username eve --email eve@example.org';
  expect(await admin(other, 'short\n')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/10 to 256 characters/) as string,
  });
  expect(await admin(other, 'correct horse battery\n', '')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/DAYBOOK_SECRET_KEY/) as string,
  });
});

test('rotates keys and unlocks accounts by their address', async () => {
  expect(await admin('unlock --email ada@example.org', '')).toMatchObject({
    code: 0,
    out: 'The account was not locked.\n',
  });
  expect(await admin('rotate-signing-key', '')).toMatchObject({ code: 0 });
  expect(await database.asSuperuser('SELECT kid FROM identity.signing_key')).toHaveLength(1);
});

test('turns off a lost second factor by the address, and sends a mail', async () => {
  await database.asSuperuser(
    `INSERT INTO identity.second_factor (account_id, secret, last_step, created_at)
     SELECT id, 'sealed', 0, now() FROM identity.account WHERE username = 'ada'`,
  );
  const turnOff = () => admin('turn-off-second-factor --email ada@example.org', '');
  expect(await turnOff()).toMatchObject({
    code: 0,
    out: 'Two-factor authentication disabled.\n',
  });
  expect(await turnOff()).toMatchObject({ code: 0, out: 'Two-factor authentication was not enabled.\n' });
  expect(await database.asSuperuser('SELECT account_id FROM identity.second_factor')).toEqual([]);
  expect(await database.asSuperuser('SELECT kind, recipient FROM identity.mail_request')).toEqual([
    { kind: 'sign_in_changed', recipient: 'ada@example.org' },
  ]);
});

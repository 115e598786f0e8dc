import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { captureCommand } from '../../test/captured-command.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { writeSealedValues } from '../../test/sealed-values.ts';
import { readKeyUse, resealColumn } from '../foundation/sealing/reseal.ts';
import type { SealedColumn } from '../foundation/sealing/sealed-column-store.ts';
import { secretKeyId } from '../foundation/secret-box.ts';
import { sealedColumns } from '../wiring/sealed-columns.ts';
import { run } from './keys-command.ts';

const [first = '', second = '', third = ''] = [1, 2, 3].map(() => randomBytes(32).toString('hex'));
const [signingKeys] = sealedColumns as readonly [SealedColumn, ...SealedColumn[]];
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await writeSealedValues(database, first, 7);
});
afterAll(() => database.drop());

const keys = (words: string, secretKey: string) =>
  captureCommand(run, words.split(' '), {
    DATABASE_URL: database.urls.application,
    DATABASE_OWNER_URL: database.urls.owner,
    DAYBOOK_SECRET_KEY: secretKey,
  });

const countsOf = async (secretKey: string, configured: readonly string[]): Promise<readonly number[]> => {
  const uses = await readKeyUse(database.database, configured, sealedColumns);
  return uses.find(({ keyId }) => keyId === secretKeyId(secretKey))?.values.map(({ count }) => count) ?? [];
};

test('every bytea column is either listed as encrypted or known to contain no encrypted value', async () => {
  const rows = await database.asSuperuser(
    `SELECT table_schema || '.' || table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE udt_name = 'bytea' AND table_schema IN ('identity', 'access', 'newsroom', 'record', 'storage', 'mailing', 'foundation', 'agents', 'watch')`,
  );
  const sealed = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  const others = rows.map(({ name }) => String(name)).filter((name) => !sealed.has(name));
  expect(rows.length - others.length).toBe(sealedColumns.length);
  // Hashes, public keys, pictures and pieces of uploads.
  const unencrypted =
    /hash(?:es)?$|digest$|\.(?:credential_id|public_key|content|bytes|picture|block|salt|key|address_key|fingerprint|source)$|sha256$/;
  expect(others.filter((name) => !unencrypted.test(name))).toEqual([]);
});

test('an interrupted run continues, and ends with every value under the first key, verified', async () => {
  expect(await countsOf(first, [second, first])).toEqual([1, 7, 1, 1, 1, 1]);
  const stop = new Error('killed');
  const interrupted = resealColumn(
    {
      database: database.database,
      secretKeys: [second, first],
      batchRows: 3,
      onBatch: () => {
        throw stop;
      },
    },
    signingKeys,
  );
  await expect(interrupted).rejects.toBe(stop);
  expect(await countsOf(second, [second, first])).toEqual([1, 0, 0, 0, 0, 0]);
  const { out, code } = await keys('reseal', `${second},${first}`);
  expect(code).toBeUndefined();
  expect(out).toContain('one-time code secrets: 7 re-encrypted, 7 verified with the first key');
  expect(out).toContain('signing keys: 0 re-encrypted, 1 verified with the first key');
  expect(await countsOf(first, [second, first])).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await countsOf(second, [second, first])).toEqual([1, 7, 1, 1, 1, 1]);
  const listed = await keys('list', `${second},${first}`);
  expect(listed.code).toBeUndefined();
  expect(listed.out).toContain(`Key ${secretKeyId(second)} encrypts new values`);
  expect(listed.out).toContain('It encrypts no stored value. Remove it');
});

test('values of a key that is not configured are named, stay unchanged, and fail the command', async () => {
  const { out, code } = await keys('reseal', third);
  expect(code).toBe(1);
  expect(out).toContain('no configured key decrypts');
  expect(out).toContain('Add that key');
  expect(await countsOf(second, [third])).toEqual([1, 7, 1, 1, 1, 1]);
  expect((await keys('list', third)).code).toBe(1);
});

test('a damaged value is reported and does not stop the others', async () => {
  await database.asSuperuser(
    `UPDATE identity.second_factor SET secret = set_byte(secret, 40, (get_byte(secret, 40) + 1) % 256)
     WHERE account_id = (SELECT min(account_id::text)::uuid FROM identity.second_factor)`,
  );
  const { out, code } = await keys('reseal --json', `${third},${second}`);
  expect(code).toBe(1);
  const { results } = JSON.parse(out) as {
    results: { contents: string; resealed: number; remaining: number; unreadable: string[] }[];
  };
  expect(
    results.map(({ resealed, remaining, unreadable }) => [resealed, remaining, unreadable.length]),
  ).toEqual([
    [1, 0, 0],
    [6, 1, 1],
    [1, 0, 0],
    [1, 0, 0],
    [1, 0, 0],
    [1, 0, 0],
  ]);
});

test('never prints a key', async () => {
  for (const words of ['list', 'list --json', 'reseal', 'reseal --json']) {
    const { out } = await keys(words, `${third},${second}`);
    for (const key of [first, second, third]) expect(out).not.toContain(key.slice(0, 16));
  }
});

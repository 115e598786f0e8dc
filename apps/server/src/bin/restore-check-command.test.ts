import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { captureCommand } from '../../test/captured-command.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createRecordFactory, valueOf } from '../../test/factories/record-factory.ts';
import { writeSealedValues } from '../../test/sealed-values.ts';
import { sequenceLog } from '../../test/sequence-log.ts';
import { systemClock } from '../foundation/clock.ts';
import { connectDatabase } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import { logKeyFile, readLogSigner } from '../record/wiring.ts';
import { UsageError } from './command-line.ts';
import { run as restoreCheck } from './restore-check-command.ts';
import { run as withdrawals } from './withdrawals-command.ts';

const secretKey = randomBytes(32).toString('hex');
const entryKey = 'ab'.repeat(32);
let database: TestDatabase;
let folder: string;
let journal: string;
let logKeys: string;
let restoredName: string;
/** In the backup; withdrawn before it; published and withdrawn after it. */
let shown: Id<'item'>;
let earlier: Id<'item'>;
let later: Id<'item'>;
let sourceId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-restore-'));
  journal = join(folder, 'withdrawals.jsonl');
  logKeys = join(folder, 'log.key');
  database = await createTestDatabase();
  await writeSealedValues(database, secretKey, 1);
  await writeCredentials();
  [{ id: sourceId }] = (await database.asSuperuser('SELECT id FROM newsroom.source')) as [{ id: string }];
  const factory = createRecordFactory({ database: database.database, clock: systemClock });
  shown = await factory.publishSelected({ title: 'Shown' });
  earlier = await factory.publishSelected({ title: 'Earlier' });
  valueOf(await factory.publisher.withdrawItem({ itemId: earlier }));
  await writeFile(logKeys, await logKeyFile.generateLogKey('news.example/log'));
  await sequenceLog(
    database.database,
    await readLogSigner({ keyFile: logKeys, stateFile: join(folder, 'log.signed') }),
  );
  await database.close();
  restoredName = `${database.name}_restored`;
  await database.onServer(`CREATE DATABASE ${restoredName} TEMPLATE ${database.name} OWNER daybook_owner`);
  await database.onServer(
    `GRANT CONNECT ON DATABASE ${restoredName} TO daybook_application, daybook_news_reader`,
  );
  const { database: live, close } = connectDatabase({
    url: database.urls.application,
    name: 'test',
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
  });
  const after = createRecordFactory({ database: live, clock: systemClock });
  later = await after.publishSelected({ title: 'Later' });
  await insertEntryOf(later);
  valueOf(await after.publisher.withdrawItem({ itemId: later, reason: 'The publisher asked for it.' }));
  valueOf(await after.publisher.withdrawItem({ itemId: shown }));
  await close();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.onServer(`DROP DATABASE ${restoredName} WITH (FORCE)`);
  await database.drop();
});

async function writeCredentials(): Promise<void> {
  const [account] = await database.asSuperuser('SELECT id, organization_id FROM identity.account');
  const values = [account?.['id'], randomBytes(32)];
  await database.asSuperuser(
    `INSERT INTO identity.session (id, account_id, kind, secret_hash, address, user_agent, created_at, last_used_at, expires_at)
     VALUES (gen_random_uuid(), $1, 'browser', $2, '', '', now(), now(), now() + interval '1 day')`,
    values,
  );
  await database.asSuperuser(
    `INSERT INTO identity.mailed_token (hash, purpose, subject_id, created_at, expires_at)
     VALUES ($2, 'reset_password', $1, now(), now() + interval '1 hour')`,
    values,
  );
  await database.asSuperuser(
    `INSERT INTO identity.api_key (id, account_id, name, secret_hash, created_at)
     VALUES (gen_random_uuid(), $1, 'robot', $2, now())`,
    values,
  );
  await database.asSuperuser(
    `INSERT INTO access.platform_token (id, organization_id, name, secret_hash, created_by, mode, created_at, expires)
     VALUES (gen_random_uuid(), $3, 'robot', $2, $1, 'owner', now(), '')`,
    [...values, account?.['organization_id']],
  );
}

async function insertEntryOf(itemId: Id<'item'>): Promise<void> {
  await database.asSuperuser(
    `INSERT INTO newsroom.entry (id, source_id, url, title, text, discovered_at, first_import)
     VALUES ($1, $2, 'https://wire.example/later', 'Later', 'Later', now(), false)`,
    [itemId, sourceId],
  );
  await database.asSuperuser('INSERT INTO newsroom.entry_key VALUES ($1, $2, $3)', [
    sourceId,
    Buffer.from(entryKey, 'hex'),
    itemId,
  ]);
}

type Run = typeof restoreCheck;

async function command(run: Run, name: string, words: readonly string[]) {
  const urlOf = (url: string): string => url.replace(/\/[^/]*$/, `/${name}`);
  return captureCommand(run, words, {
    DATABASE_URL: urlOf(database.urls.application),
    DATABASE_READER_URL: urlOf(database.urls.newsReader),
    DATABASE_OWNER_URL: urlOf(database.urls.owner),
    DAYBOOK_SECRET_KEY: secretKey,
    DAYBOOK_LOG_KEY_FILE: logKeys,
  });
}

async function restored(text: string): Promise<readonly Record<string, unknown>[]> {
  const { pool, close } = connectDatabase({
    url: database.urls.owner.replace(/\/[^/]*$/, `/${restoredName}`),
    name: 'test',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await close();
  }
}

test('the file gets each withdrawal once, without words, also after an interrupted line', async () => {
  const first = await command(withdrawals, database.name, ['export', journal]);
  expect(first.out).toContain('3 withdrawals added');
  expect((await stat(journal)).mode & 0o777).toBe(0o600);
  await appendFile(journal, '{"id":"torn');
  expect((await command(withdrawals, database.name, ['export', journal])).out).toContain(
    '0 withdrawals added',
  );
  const text = await readFile(journal, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(3);
  expect(text).not.toMatch(/torn|Shown|Earlier|Later/);
  expect(text).toContain(entryKey);
});

test('refuses to run without the withdrawals or a statement about them, and with a damaged file', async () => {
  await expect(restoreCheck([])).rejects.toBeInstanceOf(UsageError);
  await expect(restoreCheck(['--withdrawals', journal, '--no-withdrawals'])).rejects.toBeInstanceOf(
    UsageError,
  );
  const damaged = join(folder, 'damaged.jsonl');
  await appendFile(damaged, `{"id":"1","at":"now"}\n`);
  await expect(command(restoreCheck, restoredName, ['--withdrawals', damaged])).rejects.toThrow(
    'line 1 of the withdrawals is damaged',
  );
  expect(await restored('SELECT FROM identity.session WHERE revoked_at IS NULL')).toHaveLength(1);
});

test('a restored database is served without the credentials and items that ended since the backup', async () => {
  const before = await restored('SELECT epoch FROM record.ledger_head');
  const { out, code } = await command(restoreCheck, restoredName, ['--withdrawals', journal]);
  expect(out).toContain('1 sessions ended, 1 codes and mailed links deleted');
  expect(out).toContain('1 API keys revoked, 1 platform tokens expired, 0 links deleted');
  expect(out).toContain('1 withdrawn again, 1 excluded from publication, 1 were withdrawn already');
  expect(out).toContain('epoch 2 of the public log is news.example/log/2: it begins with 6 entries');
  expect(out).toContain('The database can be served.');
  expect(code).toBeUndefined();
  expect(await restored('SELECT FROM identity.session WHERE revoked_at IS NULL')).toEqual([]);
  expect(await restored('SELECT FROM identity.mailed_token')).toEqual([]);
  expect(await restored('SELECT FROM identity.api_key WHERE revoked_at IS NULL')).toEqual([]);
  expect(
    await restored('SELECT FROM access.platform_token WHERE expires_at > now() OR expires_at IS NULL'),
  ).toEqual([]);
  expect(await restored(`SELECT id FROM record.item WHERE withdrawn_at IS NULL`)).toEqual([]);
  expect(
    await restored(`SELECT entry_id FROM newsroom.entry_key WHERE key = decode('${entryKey}', 'hex')`),
  ).toEqual([{ entry_id: null }]);
  expect(await restored('SELECT epoch FROM record.ledger_head')).not.toEqual(before);
});

test('a second run changes nothing more, and keys created since stay with --keep-keys', async () => {
  await restored(`UPDATE identity.api_key SET revoked_at = NULL`);
  const { out, code } = await command(restoreCheck, restoredName, ['--withdrawals', journal, '--keep-keys']);
  expect(out).toContain('0 withdrawn again, 1 excluded from publication, 2 were withdrawn already');
  expect(out).toContain('a new epoch has begun already');
  expect(code).toBeUndefined();
  expect(await restored('SELECT FROM identity.api_key WHERE revoked_at IS NULL')).toHaveLength(1);
});

test('a wrong secret key ends the check before anything is changed', async () => {
  await restored(`UPDATE identity.session SET revoked_at = NULL, revoked_because = NULL`);
  await restored(
    `UPDATE identity.signing_key SET private_key = set_byte(private_key, 1, (get_byte(private_key, 1) + 1) % 256)`,
  );
  const { out, code } = await command(restoreCheck, restoredName, ['--no-withdrawals']);
  expect(code).toBe(1);
  expect(out).toMatch(/✗ secret key[\s\S]*Do not serve this database yet\.$/);
  expect(await restored('SELECT FROM identity.session WHERE revoked_at IS NULL')).toHaveLength(1);
});

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
import { createIdSource } from '../foundation/ids.ts';
import { logKeyFile, readLogSigner } from '../record/wiring.ts';
import { UsageError } from './command-line.ts';
import { run as restoreCheck } from './restore-check-command.ts';
import { run as revocations } from './revocations-command.ts';

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
  logKeys = join(folder, 'log.key');
  journal = join(folder, 'revocations.jsonl');
  database = await createTestDatabase();
  await writeSealedValues(database, secretKey, 1);
  await writeCredentials();
  await writeAccounts();
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
  await changeAccounts();
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

const ids = createIdSource({ clock: systemClock, randomBytes });
/** Of the backup: `kept` is unchanged, `moved` changed its address, `left` left its organization. */
let accounts: { readonly kept: string; readonly moved: string; readonly left: string };
let subscriptionId: string;

async function writeAccounts(): Promise<void> {
  const organizationId = ids.next();
  await database.asSuperuser(
    `INSERT INTO identity.organization (id, key, name, created_at) VALUES ($1, 'press', 'Press', now())`,
    [organizationId],
  );
  const created = await Promise.all(
    ['kept', 'moved', 'left'].map((name) => insertAccount(name, organizationId)),
  );
  accounts = { kept: created[0] ?? '', moved: created[1] ?? '', left: created[2] ?? '' };
  await database.asSuperuser(
    `INSERT INTO audit.event (id, at, kind, account_id, detail) VALUES ($1, now(), 'password_changed', $2, '{}')`,
    [ids.next(), accounts.kept],
  );
  await database.asSuperuser(
    `INSERT INTO identity.recovery_code SELECT account_id, sha256('x') FROM identity.second_factor`,
  );
  subscriptionId = ids.next();
  await database.asSuperuser(
    `INSERT INTO mailing.subscription (id, email, normalised_email, language, daily, weekly, requested_at, confirmed_at)
     VALUES ($1, 'reader@example.org', 'reader@example.org', 'en', true, false, now(), now())`,
    [subscriptionId],
  );
  await database.asSuperuser(
    `INSERT INTO mailing.delivery (id, subscription_id, purpose, period, state, created_at, due_at)
     VALUES ($1, $2, 'daily', '2026-11-17', 'waiting', now(), now())`,
    [ids.next(), subscriptionId],
  );
  await database.asSuperuser(
    `INSERT INTO identity.mail_request (id, kind, recipient, created_at, state, due_at)
     VALUES ($1, 'account_exists', 'someone@example.org', now(), 'waiting', now())`,
    [ids.next()],
  );
  await database.asSuperuser(
    `INSERT INTO identity.invitation (id, organization_id, email, email_normalised, role, invited_by, created_at, expires_at)
     SELECT $1, organization_id, 'new@example.org', 'new@example.org', 'member', id, now(), now() + interval '7 days'
     FROM identity.account WHERE id = $2`,
    [ids.next(), accounts.kept],
  );
  await writeSavedSearch();
}

/** A search whose match waits for a mail, another mail that waits to be sent, and a private feed. */
async function writeSavedSearch(): Promise<void> {
  const searchId = ids.next();
  await database.asSuperuser(
    `INSERT INTO watch.saved_search (id, account_id, name, terms, excluded_terms, mode, category, hidden_sources,
       hidden_categories, sources_min, filed_under, mail, wording, on_front_page, created_at, updated_at)
     VALUES ($1, $2, 'Papers', '{}', '{}', 'all', 'paper', '{}', '{}', 1, 1, 'daily', 'en', false, now(), now())`,
    [searchId, accounts.kept],
  );
  await database.asSuperuser(
    `INSERT INTO watch.match (search_id, item_id, matched_at, is_earlier, is_to_mail) VALUES ($1, $2, now(), false, true)`,
    [searchId, ids.next()],
  );
  await database.asSuperuser(
    `INSERT INTO watch.mail (id, account_id, frequency, period, state, created_at, due_at)
     VALUES ($1, $2, 'daily', '2026-11-17', 'waiting', now(), now())`,
    [ids.next(), accounts.kept],
  );
  await database.asSuperuser(
    `INSERT INTO watch.feed_address (search_id, account_id, secret_hash, created_at) VALUES ($1, $2, sha256('x'), now())`,
    [searchId, accounts.kept],
  );
}

async function insertAccount(name: string, organizationId: string): Promise<string> {
  const id = ids.next();
  await database.asSuperuser(
    `INSERT INTO identity.account (id, username, email, email_normalised, name, password_hash, organization_id, created_at)
     VALUES ($1, $2, $3, $3, $2, 'hash', $4, now())`,
    [id, name, `${name}@example.org`, organizationId],
  );
  await database.asSuperuser(
    `INSERT INTO identity.organization_membership SELECT organization_id, id, $2, now() FROM identity.account WHERE id = $1`,
    [id, name === 'kept' ? 'owner' : 'member'],
  );
  await database.asSuperuser(
    `INSERT INTO identity.passkey (id, account_id, credential_id, public_key, sign_count, name, created_at)
     VALUES (gen_random_uuid(), $1, $2, '', 0, 'key', now())`,
    [id, randomBytes(16)],
  );
  return id;
}

/** After the backup: audit events as the use cases write them, and the row that an export reads beside one. */
async function changeAccounts(): Promise<void> {
  const at = (await database.asSuperuser('SELECT organization_id FROM identity.account WHERE id = $1', [
    accounts.left,
  ])) as [{ organization_id: string }];
  const event = (
    kind: string,
    accountId: string,
    detail: object = {},
    organizationId: string | null = null,
  ) =>
    database.asSuperuser(
      `INSERT INTO audit.event (id, at, kind, account_id, organization_id, detail) VALUES ($1, now(), $2, $3, $4, $5)`,
      [ids.next(), kind, accountId, organizationId, JSON.stringify(detail)],
    );
  await event('email_changed', accounts.moved);
  await database.asSuperuser(
    `UPDATE identity.account SET email = 'new@example.net', email_normalised = 'new@example.net' WHERE id = $1`,
    [accounts.moved],
  );
  await event('member_removed', accounts.kept, { memberId: accounts.left }, at[0].organization_id);
  await event('policy_updated', accounts.kept, {}, at[0].organization_id);
  await event('share_ended', accounts.kept, {}, at[0].organization_id);
  await event('account_deletion_requested', accounts.left);
  await database.asSuperuser(
    `UPDATE mailing.subscription SET ended_at = now(), ended_because = 'unsubscribed', email = NULL, normalised_email = NULL
     WHERE id = $1`,
    [subscriptionId],
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
  const first = await command(revocations, database.name, ['export', journal]);
  expect(first.out).toContain('10 revocations added');
  expect((await stat(journal)).mode & 0o777).toBe(0o600);
  await appendFile(journal, '{"id":"torn');
  expect((await command(revocations, database.name, ['export', journal])).out).toContain(
    '0 revocations added',
  );
  const text = await readFile(journal, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(10);
  expect(text).not.toMatch(/torn|Shown|Earlier|Later|example\.net/);
  expect(text).toContain(entryKey);
});

test('refuses to run without the withdrawals or a statement about them, and with a damaged file', async () => {
  await expect(restoreCheck([])).rejects.toBeInstanceOf(UsageError);
  await expect(restoreCheck(['--revocations', journal, '--no-revocations'])).rejects.toBeInstanceOf(
    UsageError,
  );
  const damaged = join(folder, 'damaged.jsonl');
  await appendFile(damaged, `{"id":"1","at":"now"}\n`);
  await expect(command(restoreCheck, restoredName, ['--revocations', damaged])).rejects.toThrow(
    'line 1 of the revocations is damaged',
  );
  expect(await restored('SELECT FROM identity.session WHERE revoked_at IS NULL')).toHaveLength(1);
});

test('a restored database is served without the credentials and items that ended since the backup', async () => {
  const before = await restored('SELECT epoch FROM record.ledger_head');
  const { out, code } = await command(restoreCheck, restoredName, ['--revocations', journal]);
  expect(out).toContain('1 sessions ended, 2 codes and mailed links deleted');
  expect(out).toContain('1 invitations cancelled, 1 unsent mails to accounts discarded');
  expect(out).toContain('sign-in methods of 1 removed');
  expect(out).toMatch(/review: organization \S+: policy updated, 1 times since the backup/);
  expect(out).toMatch(/review: organization \S+: share ended, 1 times since the backup/);
  expect(out).toContain('1 API keys revoked, 1 platform tokens expired, 0 links deleted');
  expect(out).toContain('1 private feed addresses and 1 webhooks deleted');
  expect(out).toContain('1 mails of saved searches listed as undelivered; mail of 1 saved searches ended');
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

test('a restored database repeats no mail, and accounts are as they were left since the backup', async () => {
  expect(await restored('SELECT FROM identity.recovery_code')).toEqual([]);
  expect(await restored('SELECT FROM identity.invitation WHERE cancelled_at IS NULL')).toEqual([]);
  expect(await restored('SELECT DISTINCT state, reason FROM mailing.delivery')).toEqual([
    { state: 'undelivered', reason: 'in_doubt' },
  ]);
  expect(await restored('SELECT state, reason FROM watch.mail')).toEqual([
    { state: 'undelivered', reason: 'in_doubt' },
  ]);
  expect(await restored('SELECT FROM watch.match WHERE is_to_mail')).toEqual([]);
  expect(await restored('SELECT DISTINCT mail FROM watch.saved_search')).toEqual([{ mail: 'never' }]);
  expect(await restored('SELECT count(*)::int FROM mailing.restore')).toEqual([{ count: 1 }]);
  expect(await restored(`SELECT FROM mailing.subscription WHERE ended_at IS NULL`)).toEqual([]);
  expect(await restored(`SELECT kind, recipient FROM identity.mail_request WHERE state = 'waiting'`)).toEqual(
    [{ kind: 'reset_password', recipient: 'new@example.net' }],
  );
  const account = (id: string) =>
    restored(
      `SELECT email, password_hash, (SELECT count(*)::int FROM identity.passkey WHERE account_id = account.id) AS passkeys
       FROM identity.account WHERE id = '${id}'`,
    );
  expect(await account(accounts.kept)).toEqual([
    { email: 'kept@example.org', password_hash: 'hash', passkeys: 1 },
  ]);
  expect(await account(accounts.moved)).toEqual([
    { email: 'new@example.net', password_hash: null, passkeys: 0 },
  ]);
  expect(
    await restored(`SELECT FROM identity.organization_membership WHERE account_id = '${accounts.left}'
      AND organization_id = (SELECT organization_id FROM identity.account WHERE id = '${accounts.kept}')`),
  ).toEqual([]);
  expect(await restored(`SELECT account_id FROM identity.account_deletion`)).toEqual([
    { account_id: accounts.left },
  ]);
});

test('refuses a database that a process still serves', async () => {
  const { pool, close } = connectDatabase({
    url: database.urls.application.replace(/\/[^/]*$/, `/${restoredName}`),
    name: 'daybook api',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  await pool.query('SELECT 1');
  const { out, code } = await command(restoreCheck, restoredName, ['--no-revocations']);
  await close();
  expect(out).toContain('✗ processes: connected: daybook api (1). Stop them first');
  expect(code).toBe(1);
});

test('a second run changes nothing more, and keys created since stay with --keep-keys', async () => {
  await restored(`UPDATE identity.api_key SET revoked_at = NULL`);
  const { out, code } = await command(restoreCheck, restoredName, ['--revocations', journal, '--keep-keys']);
  expect(out).toContain('0 withdrawn again, 1 excluded from publication, 2 were withdrawn already');
  expect(out).toContain('a new epoch has begun already');
  expect(out).toContain('sign-in methods of 0 removed');
  expect(code).toBeUndefined();
  expect(await restored('SELECT FROM identity.api_key WHERE revoked_at IS NULL')).toHaveLength(1);
});

test('a wrong secret key ends the check before anything is changed', async () => {
  await restored(`UPDATE identity.session SET revoked_at = NULL, revoked_because = NULL`);
  await restored(
    `UPDATE identity.signing_key SET private_key = set_byte(private_key, 1, (get_byte(private_key, 1) + 1) % 256)`,
  );
  const { out, code } = await command(restoreCheck, restoredName, ['--no-revocations']);
  expect(code).toBe(1);
  expect(out).toMatch(/✗ secret key[\s\S]*Do not serve this database yet\.$/);
  expect(await restored('SELECT FROM identity.session WHERE revoked_at IS NULL')).toHaveLength(1);
});

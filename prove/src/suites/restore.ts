import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { freePorts } from '../http/api-child.ts';
import type { DaybookChild } from '../http/daybook-child.ts';
import { daybook, startDaybook } from '../http/daybook-child.ts';
import { ask } from '../news/http-question.ts';
import type { ArchivedCluster } from '../restore/archived-cluster.ts';
import { startArchivedCluster } from '../restore/archived-cluster.ts';

export const suite: Suite = {
  name: 'restore',
  nightly: true,
  summary:
    'After a restore to an earlier moment, no session, key or link revoked since is valid, and no text withdrawn since is served.',
  headline: 'of the attacker’s credentials, valid after restore-check',
  promise:
    'An installation with continuous archiving; the disk of its database is destroyed and it is restored to a chosen moment. Who attacks: the former holder of a session, its refresh token and an API key, all revoked after that moment; and a reader who knows the address of an item withdrawn after it. Without `daybook restore-check` all of them succeed, which shows that the attack is real. After it, none does; what was written before the moment is there, also what only the archive has; a mirror’s earlier cursor is refused; and record, newsroom and schema verify.',
  measuresNoTime: true,
  run: async (context) => {
    const server = await startArchivedCluster();
    const folder = await mkdtemp(join(tmpdir(), 'daybook-journal-'));
    try {
      await prove(context, server, join(folder, 'revocations.jsonl'));
    } finally {
      await server.remove();
      await rm(folder, { recursive: true });
    }
  },
};

interface Installation {
  readonly urls: DatabaseUrls;
  readonly settings: Readonly<Record<string, string>>;
  readonly run: (...words: readonly string[]) => Promise<string>;
  readonly withApi: <Value>(work: (port: number) => Promise<Value>) => Promise<Value>;
}

const password = 'correct horse battery';
const email = 'ada@example.org';

async function install(context: SuiteContext, { cluster }: ArchivedCluster): Promise<Installation> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  const settings = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DATABASE_OWNER_URL: urls.owner,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('hex'),
    // Tokens name it, and it must not change with the port.
    DAYBOOK_BASE_URL: 'https://daybook.example',
    DAYBOOK_DRAIN_NOTICE_MS: '0',
  };
  const env = { PATH: process.env['PATH'], ...settings };
  const run: Installation['run'] = async (...words) => {
    const { stdout } = await promisify(execFile)(process.execPath, [daybook, ...words], {
      cwd: context.root,
      env,
    });
    return stdout;
  };
  await run('database', 'migrate');
  const admin = spawn(
    process.execPath,
    [daybook, 'admin', 'create-owner', '--username', 'ada', '--email', email],
    { cwd: context.root, env, stdio: ['pipe', 'ignore', 'inherit'] },
  );
  admin.stdin.end(`${password}\n`);
  await once(admin, 'exit');
  const withApi: Installation['withApi'] = async (work) => {
    const [port = 0] = await freePorts(1);
    const api: DaybookChild = await startDaybook(context.root, 'api', port, settings);
    try {
      return await work(port);
    } finally {
      await api.stop();
    }
  };
  return { urls, settings, run, withApi };
}

const post = (port: number, path: string, json: object, headers: Readonly<Record<string, string>> = {}) =>
  ask(port, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });

interface Credentials {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly key: string;
  readonly keyId: string;
}

async function obtainCredentials(port: number): Promise<Credentials> {
  const tokens = JSON.parse((await post(port, '/api/auth/token', { email, password })).text) as Credentials;
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const created = await post(port, '/api/v1/api-keys', { name: 'robot' }, bearer);
  const { id, key } = JSON.parse(created.text) as { id: string; key: string };
  return { ...tokens, key, keyId: id };
}

interface Accepted {
  /** How many of the three credentials the api accepted. */
  readonly count: number;
  /** A refresh replaces the token. */
  readonly held: Credentials;
}

async function tryAll(port: number, held: Credentials): Promise<Accepted> {
  const me = (headers: Readonly<Record<string, string>>) => ask(port, { path: '/api/v1/me', headers });
  const refreshed = await post(port, '/api/auth/token/refresh', { refresh_token: held.refresh_token });
  const answers = [
    await me({ authorization: `Bearer ${held.access_token}` }),
    await me({ 'x-api-key': held.key }),
    refreshed,
  ];
  const next = refreshed.status === 200 ? (JSON.parse(refreshed.text) as Credentials) : {};
  return {
    count: answers.filter(({ status }) => status === 200).length,
    held: { ...held, ...next, key: held.key, keyId: held.keyId },
  };
}

const secretWords = 'Zanzibar lighthouse memorandum';

/** Of the surfaces that could show the withdrawn item, those that do. */
async function surfacesShowing(port: number, itemId: string): Promise<readonly string[]> {
  const paths = [
    `/api/v1/items/${itemId}`,
    '/api/v1/items?limit=50',
    '/api/v1/items?q=Zanzibar',
    '/api/v1/selected/snapshot',
    '/api/v1/archive/items',
    '/feeds/items.atom',
    '/',
    `/items/${itemId}`,
  ];
  const shown: string[] = [];
  for (const path of paths) if ((await ask(port, { path })).text.includes(secretWords)) shown.push(path);
  return shown;
}

async function prove(context: SuiteContext, server: ArchivedCluster, journal: string): Promise<void> {
  const here = await install(context, server);
  const connection = connectDatabase({
    url: here.urls.application,
    name: 'prove',
    connectionsMax: 2,
    connectTimeoutMs: 5_000,
  });
  const factory = createRecordFactory({ database: connection.database, clock: systemClock });
  const doomed = await factory.publishSelected({ title: secretWords, summary: `${secretWords}.` });
  for (let index = 0; index < (context.quick ? 20 : 2_000); index += 1)
    await factory.publishSelected({ title: `Item ${index}`, sourceName: `Wire ${index % 7}` });
  const held = await here.withApi(obtainCredentials);
  await server.backUp();
  const late = await factory.publishSelected({ title: 'Published after the backup', sourceName: 'Late' });
  const [moment] = await server.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  await server.query('SELECT pg_sleep(0.01)');
  const cursor = await afterTheMoment(here, held, doomed);
  await here.run('revocations', 'export', journal);
  await server.archiveAll();
  await connection.close();
  const started = performance.now();
  await server.destroyAndRestore(moment?.now ?? '');
  context.figure({ name: 'restored in', value: (performance.now() - started) / 1_000, unit: 's' });
  context.figure({ name: 'backup and archive', value: (await server.backupBytes()) / 1e6, unit: 'MB' });
  const renewed = await here.withApi((port) => reportBefore(context, port, held, doomed));
  const output = await here.run('restore-check', '--revocations', journal);
  for (const line of output.trim().split('\n')) context.note(line);
  await here.withApi((port) => reportAfter(context, port, { held: renewed, doomed, late, cursor }));
  await here.run('restore-check', '--revocations', journal);
}

/** Signs out, revokes the key and withdraws the item; returns the cursor of a mirror. */
async function afterTheMoment(here: Installation, held: Credentials, itemId: string): Promise<string> {
  const cursor = await here.withApi(async (port) => {
    const bearer = { authorization: `Bearer ${held.access_token}` };
    const revoked = [
      await ask(port, { method: 'DELETE', path: `/api/v1/api-keys/${held.keyId}`, headers: bearer }),
      await post(port, '/api/auth/token/revoke', { refresh_token: held.refresh_token }),
    ];
    for (const { status, text } of revoked) if (status >= 300) throw new Error(`${status} ${text}`);
    // Every process refuses what was revoked within a second.
    await delay(1_000);
    const { count } = await tryAll(port, held);
    if (count !== 0) throw new Error(`${count} revoked credentials are accepted`);
    const { text } = await ask(port, { path: '/api/v1/selected/snapshot' });
    return (JSON.parse(text) as { readonly cursor: string }).cursor;
  });
  await here.run('newsroom', 'withdraw', itemId, '--reason', 'The publisher asked for it.');
  return cursor;
}

/** Returns what the attacker holds afterwards. */
async function reportBefore(
  context: SuiteContext,
  port: number,
  held: Credentials,
  itemId: string,
): Promise<Credentials> {
  const tried = await tryAll(port, held);
  context.figure({
    name: 'of the attacker’s credentials, valid without restore-check',
    value: tried.count,
    unit: 'credentials',
    goal: { exactly: 3 },
  });
  context.figure({
    name: 'surfaces with the withdrawn text without restore-check',
    value: (await surfacesShowing(port, itemId)).length,
    unit: 'surfaces',
    goal: { atLeast: 3 },
  });
  return tried.held;
}

async function reportAfter(
  context: SuiteContext,
  port: number,
  {
    held,
    doomed,
    late,
    cursor,
  }: Readonly<{ held: Credentials; doomed: string; late: string; cursor: string }>,
): Promise<void> {
  context.figure({
    name: 'of the attacker’s credentials, valid after restore-check',
    value: (await tryAll(port, held)).count,
    unit: 'credentials',
    goal: { exactly: 0 },
  });
  const shown = await surfacesShowing(port, doomed);
  for (const path of shown) context.note(`shows the withdrawn text: ${path}`);
  context.figure({
    name: 'surfaces with the withdrawn text after restore-check',
    value: shown.length,
    unit: 'surfaces',
    goal: { exactly: 0 },
  });
  const { status } = await ask(port, { path: `/api/v1/items/${late}` });
  context.figure({
    name: 'item that only the archive has',
    value: status,
    unit: 'status',
    goal: { exactly: 200 },
  });
  const mirror = await ask(port, { path: `/api/v1/selected/changes?cursor=${encodeURIComponent(cursor)}` });
  context.figure({
    name: 'mirrors that continue with a cursor from before',
    value: mirror.status === 200 ? 1 : 0,
    unit: 'mirrors',
    goal: { exactly: 0 },
  });
  const { status: signedIn } = await post(port, '/api/auth/token', { email, password });
  context.figure({
    name: 'sign-in with the password',
    value: signedIn,
    unit: 'status',
    goal: { exactly: 200 },
  });
}

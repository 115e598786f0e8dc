import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import { captureCommand } from '../../test/captured-command.ts';
import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import type { MailServer } from '../../test/mail-server.ts';
import { startMailServer } from '../../test/mail-server.ts';
import { writeSealedValues } from '../../test/sealed-values.ts';
import { runCheck } from '../wiring/doctor/check.ts';
import { run } from './doctor-command.ts';

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly advice?: string;
}

const [right = '', wrong = ''] = [1, 2].map(() => randomBytes(32).toString('hex'));
let database: TestDatabase;
let mail: MailServer;
let mails = 0;
let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  await writeSealedValues(database, right, 2);
  mail = await startMailServer(() => {
    mails += 1;
  });
  folder = await mkdtemp(join(tmpdir(), 'daybook-doctor-'));
  settings = {
    DATABASE_URL: database.urls.application,
    DATABASE_READER_URL: database.urls.newsReader,
    DATABASE_OWNER_URL: database.urls.owner,
    DAYBOOK_SECRET_KEY: right,
    DAYBOOK_SMTP_URL: mail.url,
    DAYBOOK_MAIL_FROM: 'Daybook <daybook@example.org>',
    DAYBOOK_STORAGE_FOLDER: folder,
  };
});
afterAll(async () => {
  await mail.stop();
  await rm(folder, { recursive: true });
  await database.drop();
});

const doctor = (changes: Record<string, string> = {}, words: readonly string[] = ['--json']) =>
  captureCommand(run, words, { ...settings, ...changes });

async function finding(name: string, changes: Record<string, string> = {}): Promise<Finding> {
  const { checks } = JSON.parse((await doctor(changes)).out) as { checks: Finding[] };
  const found = checks.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no check ${name}`);
  return found;
}

test('an installation without a worker passes every other check, and no mail and no file is left', async () => {
  const { out, code } = await doctor();
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Finding[] };
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
  expect(states).toEqual({
    program: 'passed',
    settings: 'passed',
    database: 'passed',
    migrations: 'passed',
    clock: 'passed',
    'application login': 'passed',
    'news reader login': 'passed',
    'owner login': 'passed',
    'secret key': 'passed',
    mail: 'passed',
    storage: 'passed',
    documents: 'passed',
    // Files are not scanned here.
    scanner: 'warning',
    // No worker runs here, and the log is not signed.
    workers: 'failed',
    'log key': 'warning',
    backups: 'warning',
    disk: expect.stringMatching(/passed|warning/) as string,
    edge: 'skipped',
  });
  expect(ok).toBe(false);
  expect(code).toBe(1);
  expect(mails).toBe(0);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(files.filter((one) => one.isFile())).toEqual([]);
});

test('prints lines for people, with what to do, and no secret', async () => {
  const { out, code } = await doctor({ DAYBOOK_SECRET_KEY: wrong }, []);
  expect(code).toBe(1);
  expect(out).toMatch(/^✗ secret key: DAYBOOK_SECRET_KEY does not open the signing keys/m);
  expect(out).toMatch(/^ {4}→ Restore the previous key/m);
  expect(out).toMatch(/2 failed, \d+ warnings?\.$/);
  for (const secret of [right, wrong, `:${new URL(database.urls.application).password}@`])
    expect(out.includes(secret)).toBe(false);
});

test('invalid settings are all listed, and a name that nothing reads is reported', async () => {
  const invalid = await finding('settings', { PORT: 'x', DAYBOOK_SECRET_KEY: 'short' });
  expect(invalid).toMatchObject({ state: 'failed' });
  expect(invalid.detail).toMatch(/PORT[\s\S]*DAYBOOK_SECRET_KEY/);
  expect(await finding('settings', { DAYBOOK_SMTP_ULR: 'smtp://mail' })).toMatchObject({
    state: 'warning',
    detail: 'unknown or unused: DAYBOOK_SMTP_ULR',
  });
});

test('a login with too many rights, too few rights or a wrong password fails with its name', async () => {
  const { application, newsReader, owner } = database.urls;
  expect(await finding('application login', { DATABASE_URL: owner })).toMatchObject({
    state: 'failed',
    detail: 'daybook_owner can change the structure of the database',
  });
  expect(await finding('news reader login', { DATABASE_READER_URL: owner })).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('can read accounts, can change news') as string,
  });
  expect(await finding('news reader login', { DATABASE_READER_URL: application })).toMatchObject({
    state: 'warning',
  });
  expect(await finding('owner login', { DATABASE_OWNER_URL: newsReader })).toMatchObject({ state: 'failed' });
  const mistyped = new URL(application);
  mistyped.pathname = '/no_such_database';
  expect(await finding('database', { DATABASE_URL: mistyped.href })).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('The database does not exist') as string,
  });
});

test('a replica that accepts writes, or does not answer, fails with what to do', async () => {
  const { newsReader } = database.urls;
  expect(await finding('news replica', { DATABASE_REPLICA_URL: newsReader })).toMatchObject({
    state: 'failed',
    detail: 'DATABASE_REPLICA_URL connects to a server that is not a replica',
  });
  const away = new URL(newsReader);
  away.port = '1';
  expect(await finding('news replica', { DATABASE_REPLICA_URL: away.href })).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('Start the replica') as string,
  });
});

test('missing migrations, another database for readers and an unreachable server are failures', async () => {
  const empty = await createTestDatabase({ empty: true });
  onTestFinished(() => empty.drop());
  const behind = { DATABASE_URL: empty.urls.application, DATABASE_READER_URL: empty.urls.newsReader };
  expect(await finding('migrations', behind)).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('daybook database migrate') as string,
  });
  expect(await finding('database', { DATABASE_READER_URL: empty.urls.newsReader })).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('different databases') as string,
  });
  const away = new URL(database.urls.application);
  away.port = '1';
  expect(await finding('database', { DATABASE_URL: away.href })).toMatchObject({ state: 'failed' });
  expect(await finding('migrations', { DATABASE_URL: away.href })).toMatchObject({ state: 'skipped' });
});

test('a guessable key fails, and an earlier key that still protects values is a warning', async () => {
  expect(await finding('secret key', { DAYBOOK_SECRET_KEY: `${wrong},${right}` })).toMatchObject({
    state: 'warning',
    advice: 'Run `daybook keys reseal`.',
  });
  const other = await createTestDatabase();
  onTestFinished(() => other.drop());
  const guessable = 'ab'.repeat(32);
  await writeSealedValues(other, guessable, 1);
  const urls = { DATABASE_URL: other.urls.application, DATABASE_READER_URL: other.urls.newsReader };
  expect(await finding('secret key', { ...urls, DAYBOOK_SECRET_KEY: guessable })).toMatchObject({
    state: 'failed',
    detail: 'DAYBOOK_SECRET_KEY is not random',
  });
  expect(await finding('secret key', { DAYBOOK_SECRET_KEY: '' })).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('is not set, but the database has accounts') as string,
  });
});

test('an unreachable mail server, a missing folder and an unreachable scanner fail with advice', async () => {
  const changes = {
    DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:1',
    DAYBOOK_STORAGE_FOLDER: join(folder, 'mistyped'),
    DAYBOOK_CLAMD: '127.0.0.1:1',
  };
  const { checks } = JSON.parse((await doctor(changes)).out) as { checks: Finding[] };
  for (const name of ['mail', 'storage', 'scanner'])
    expect(checks.find((one) => one.name === name)).toMatchObject({
      state: 'failed',
      advice: expect.stringMatching(/DAYBOOK_SMTP_URL|Create the folder|Start clamd/) as string,
    });
  expect(await readdir(folder)).not.toContain('mistyped');
});

test('a folder that the service may not write to fails, although root may', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'daybook-bin-'));
  onTestFinished(() => rm(bin, { recursive: true }));
  const answered = async (lines: readonly string[]): Promise<Finding> => {
    const script = `#!/bin/sh\nprintf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}\n`;
    await writeFile(join(bin, 'systemctl'), script, { mode: 0o755 });
    return finding('storage', { PATH: `${bin}:${process.env['PATH']}` });
  };
  const loaded = ['LoadState=loaded', 'ProtectSystem=strict', 'StateDirectory=daybook'];
  expect(await answered(loaded)).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(`may not write to ${folder}`) as string,
    advice: expect.stringContaining(`ReadWritePaths=${folder}`) as string,
  });
  expect(await answered([...loaded, `ReadWritePaths=-${folder}`])).toMatchObject({ state: 'passed' });
  expect(await answered(['LoadState=not-found'])).toMatchObject({ state: 'passed' });
});

/** Serves these paths, and 404 otherwise, at an address that is not written as one of this machine. */
async function startEdge(paths: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '' }, reply) => {
    const body = paths[url];
    reply.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://0.0.0.0:${(server.address() as AddressInfo).port}`;
}

test('an edge must forward, and must not serve readiness or metrics to the public', async () => {
  const livez = JSON.stringify({ status: 'alive' });
  const asked = async (paths: Readonly<Record<string, string>>): Promise<Finding> =>
    finding('edge', { DAYBOOK_BASE_URL: await startEdge(paths) });
  expect(await asked({ '/livez': 'Welcome to nginx!' })).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining('forward') as string,
  });
  expect(await asked({ '/livez': livez, '/readyz': '{}', '/metrics': 'up 1' })).toMatchObject({
    state: 'failed',
    detail: 'the edge serves /readyz and /metrics to the public',
  });
  expect(await asked({ '/livez': livez })).toMatchObject({
    state: 'warning',
    detail: 'the public address uses http',
  });
  expect(await finding('edge', { DAYBOOK_BASE_URL: 'https://daybook.invalid' })).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('https://daybook.invalid') as string,
  });
});

test('a check that never ends fails at its bound', async () => {
  const outcome = await runCheck({ name: 'endless', run: () => new Promise(() => {}) }, 50);
  expect(outcome).toMatchObject({ state: 'failed', detail: 'no response within 0.05 seconds' });
});

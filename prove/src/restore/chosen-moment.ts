import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createClient } from '@daybook/client';
import type { MirrorStore } from '@daybook/client/mirror';
import { follow, memoryStore } from '@daybook/client/mirror';
import type { SuiteContext } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import { readSelectedSet } from '../mirror/selected-set.ts';
import { ask } from '../news/http-question.ts';
import type { ArchivedCluster } from './archived-cluster.ts';
import { startArchivedCluster } from './archived-cluster.ts';
import type { Credentials, Installation } from './installation.ts';
import {
  createProject,
  email,
  install,
  obtainCredentials,
  password,
  post,
  readContent,
  uploadFile,
} from './installation.ts';

/** Revocations and withdrawals after a moment, a restore to that moment, and who gains by it. */
export async function proveChosenMoment(context: SuiteContext): Promise<void> {
  const server = await startArchivedCluster();
  const folder = await mkdtemp(join(tmpdir(), 'daybook-moment-'));
  try {
    await prove(context, server, folder);
  } finally {
    await server.remove();
    await rm(folder, { recursive: true });
  }
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

/** What exists before the moment, and must exist after the restore. */
interface Before {
  readonly held: Credentials;
  readonly doomed: string;
  readonly late: string;
  readonly files: readonly string[];
  readonly mirror: MirrorStore;
}

const signedWithinMs = 120_000;
const fileText = 'Minutes of the meeting';

async function prove(context: SuiteContext, server: ArchivedCluster, folder: string): Promise<void> {
  const here = await install(context, server, folder);
  const journal = join(folder, 'revocations.jsonl');
  const before = await fill(context, server, here);
  const [moment] = await server.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  await server.query('SELECT pg_sleep(0.01)');
  const cursor = await afterTheMoment(here, before.held, before.doomed);
  await here.run('revocations', 'export', journal);
  await server.archiveAll();
  await server.destroy();
  const started = performance.now();
  await server.restore(moment?.now ?? '');
  const restoredMs = performance.now() - started;
  const renewed = await here.withApi((port) => reportBefore(context, port, before.held, before.doomed));
  const checkStarted = performance.now();
  const output = await here.run('restore-check', '--revocations', journal);
  context.figure({
    name: 'recovery and restore-check',
    value: (restoredMs + performance.now() - checkStarted) / 60_000,
    unit: 'minutes',
  });
  context.figure({ name: 'backup and archive', value: (await server.backupBytes()) / 1e6, unit: 'MB' });
  for (const line of output.trim().split('\n')) context.note(line);
  await here.withApi((port) => reportAfter(context, port, { ...before, held: renewed, cursor }));
  await here.run('restore-check', '--revocations', journal);
  await here.withApi(() => reportMirror(context, here, before.mirror));
  await here.withWorker(() => untilLogSigned(server));
  await reportVerification(context, here);
}

async function fill(context: SuiteContext, server: ArchivedCluster, here: Installation): Promise<Before> {
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
  await here.withWorker(() => untilLogSigned(server));
  const before = await here.withApi(async (port) => {
    const held = await obtainCredentials(port);
    const projectId = await createProject(port, held);
    const upload = (name: string) => uploadFile(port, held, { projectId, name, text: fileText });
    const files = [await upload('before-the-backup')];
    await server.backUp();
    files.push(await upload('after-the-backup'));
    const late = await factory.publishSelected({ title: 'Published after the backup', sourceName: 'Late' });
    const mirror = memoryStore();
    await followOnce(port, mirror);
    return { held, doomed, late, files: files.map((id) => id ?? ''), mirror };
  });
  await connection.close();
  return before;
}

/** The size and hash of the copy once it is exact. */
async function followOnce(port: number, store: MirrorStore): Promise<string> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, userAgent: 'prove restore' });
  let exact = '';
  for await (const event of follow({ client, store, once: true }))
    if (event.kind === 'exact') exact = `${event.size} ${event.hash}`;
  return exact;
}

async function untilLogSigned({ query }: ArchivedCluster): Promise<void> {
  const deadline = performance.now() + signedWithinMs;
  for (;;) {
    const [row] = await query<{ unsigned: number }>(
      `SELECT size::int - coalesce(checkpoint_size, 0)::int
         + (SELECT count(*) FROM record.log_entry WHERE leaf_index IS NULL)::int AS unsigned FROM record.log_head`,
      [],
      'daybook',
    );
    if (row?.unsigned === 0) return;
    if (performance.now() > deadline) throw new Error(`${row?.unsigned} entries of the log are not signed`);
    await delay(200);
  }
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
  { held, doomed, late, files, cursor }: Before & { readonly cursor: string },
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
  const reader = await obtainCredentials(port);
  const contents = await Promise.all(files.map((id) => readContent(port, reader, id)));
  context.figure({
    name: 'files of before the moment that are read as they were',
    value: contents.filter((text) => text === fileText).length,
    unit: 'files',
    goal: { exactly: files.length },
  });
}

async function reportMirror(context: SuiteContext, here: Installation, store: MirrorStore): Promise<void> {
  const connection = connectDatabase({
    url: here.urls.application,
    name: 'prove',
    connectionsMax: 1,
    connectTimeoutMs: 5_000,
  });
  try {
    const { size, hash } = await readSelectedSet(connection.database);
    const copy = await followOnce(here.port, store);
    context.note(`mirror: ${copy}`);
    context.figure({
      name: 'mirrors of before that end equal to the restored set',
      value: copy === `${size} ${hash}` ? 1 : 0,
      unit: 'mirrors',
      goal: { exactly: 1 },
    });
  } finally {
    await connection.close();
  }
}

/** With the checkpoint that the worker signed under the name of the new epoch. */
async function reportVerification(context: SuiteContext, { run }: Installation): Promise<void> {
  const failed: string[] = [];
  for (const words of [
    ['record', 'verify'],
    ['newsroom', 'verify'],
    ['storage', 'verify'],
  ])
    await run(...words).catch((error: Error & { readonly stdout?: string }) =>
      failed.push(`${words.join(' ')}: ${error.stdout ?? error.message}`),
    );
  for (const line of failed) context.note(line);
  context.figure({
    name: 'of record, newsroom and storage verify, that fail after a worker signed the log',
    value: failed.length,
    unit: 'commands',
    goal: { exactly: 0 },
  });
}

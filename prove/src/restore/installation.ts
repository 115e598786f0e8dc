import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { SuiteContext } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { freePorts } from '../http/api-child.ts';
import { daybook, startDaybook } from '../http/daybook-child.ts';
import type { HttpAnswer } from '../news/http-question.ts';
import { ask } from '../news/http-question.ts';
import type { ArchivedCluster } from './archived-cluster.ts';

/** Processes and operator commands of one installation, and the folder of its files. */
export interface Installation {
  readonly urls: DatabaseUrls;
  readonly port: number;
  readonly run: (...words: readonly string[]) => Promise<string>;
  readonly withApi: <Value>(work: (port: number) => Promise<Value>) => Promise<Value>;
  readonly withWorker: (work: () => Promise<void>) => Promise<void>;
}

export const password = 'correct horse battery';
export const email = 'ada@example.org';

export async function install(
  context: SuiteContext,
  { cluster }: ArchivedCluster,
  folder: string,
): Promise<Installation> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'prove' });
  const [port = 0, workerPort = 0] = await freePorts(2);
  await mkdir(join(folder, 'files'), { recursive: true });
  const settings = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DATABASE_OWNER_URL: urls.owner,
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('hex'),
    DAYBOOK_BASE_URL: 'https://daybook.example',
    DAYBOOK_STORAGE_FOLDER: join(folder, 'files'),
    DAYBOOK_LOG_KEY_FILE: join(folder, 'log.key'),
    DAYBOOK_DRAIN_NOTICE_MS: '0',
    DAYBOOK_RATE_PER_MINUTE: '1000000',
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
  await run('log', 'keygen');
  const during = async <Value>(command: 'api' | 'worker', at: number, work: () => Promise<Value>) => {
    const child = await startDaybook(context.root, command, at, settings);
    try {
      return await work();
    } finally {
      await child.stop();
    }
  };
  return {
    urls,
    port,
    run,
    withApi: (work) => during('api', port, () => work(port)),
    withWorker: (work) => during('worker', workerPort, work),
  };
}

export const post = (
  port: number,
  path: string,
  json: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> =>
  ask(port, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });

export interface Credentials {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly key: string;
  readonly keyId: string;
}

export async function obtainCredentials(port: number): Promise<Credentials> {
  const tokens = JSON.parse((await post(port, '/api/auth/token', { email, password })).text) as Credentials;
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  const created = await post(port, '/api/v1/api-keys', { name: 'robot' }, bearer);
  const { id, key } = JSON.parse(created.text) as { id: string; key: string };
  return { ...tokens, key, keyId: id };
}

export async function createProject(port: number, { key }: Credentials): Promise<string> {
  const created = await post(port, '/api/v1/projects', { name: 'Reports' }, { 'x-api-key': key });
  if (created.status !== 201) throw new Error(`${created.status} ${created.text}`);
  return (JSON.parse(created.text) as { readonly id: string }).id;
}

/** The id of the new file; null if the request was not answered with success. */
export async function uploadFile(
  port: number,
  { key }: Credentials,
  { projectId, name, text }: Readonly<{ projectId: string; name: string; text: string }>,
): Promise<string | null> {
  const answer = await ask(port, {
    method: 'POST',
    path: `/api/v1/projects/${projectId}/files?name=${name}&mediaType=text/plain`,
    headers: { 'x-api-key': key, 'content-type': 'application/octet-stream' },
    body: text,
  });
  return answer.status === 201 ? (JSON.parse(answer.text) as { readonly id: string }).id : null;
}

export async function readContent(
  port: number,
  { access_token }: Credentials,
  id: string,
): Promise<string | null> {
  const { status, text } = await ask(port, {
    path: `/api/v1/files/${id}/content`,
    headers: { authorization: `Bearer ${access_token}` },
  });
  return status === 200 ? text : null;
}

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory } from '../../factories/record-factory.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

const run = promisify(execFile);
const docs = new URL('../../../../../docs/', import.meta.url);
/** Below a `node_modules`, so that the client can import its runtime. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

/** As written with only the descriptions at hand. */
const calls = `
import createClient from 'openapi-fetch';
import type { paths as Accounts } from './accounts';
import type { paths as News } from './v1';
import type { paths as Platform } from './platform';

const baseUrl = process.argv[2] ?? '';
const news = createClient<News>({ baseUrl });

export async function everything(): Promise<void> {
  const bare = await news.GET('/api/v1/items');
  const items = await news.GET('/api/v1/items', {
    params: { query: { mode: 'all', category: 'industry', window: '24h', by: 'published', limit: 3 } },
  });
  const [first] = items.data?.items ?? [];
  const one = await news.GET('/api/v1/items/{id}', { params: { path: { id: first?.id ?? '' } } });
  const none = await news.GET('/api/v1/items/{id}', { params: { path: { id: 'unheard-of' } } });
  const hot = await news.GET('/api/v1/hot-topics');
  const dailies = await news.GET('/api/v1/dailies');
  const fewer = await news.GET('/api/v1/dailies', { params: { query: { limit: 1 } } });
  const sources = await news.GET('/api/v1/sources');
  const snapshot = await news.GET('/api/v1/selected/snapshot');
  const language: string | null | undefined = first?.language;
  console.log(
    JSON.stringify({
      statuses: [bare, items, one, none, hot, dailies, fewer, sources, snapshot].map(({ response }) => response.status),
      titles: items.data?.items.map(({ title }) => title),
      title: one.data?.item.title,
      code: none.error?.code,
      language,
    }),
  );
}

export async function accounts(): Promise<void> {
  const client = createClient<Accounts>({ baseUrl });
  const { data } = await client.POST('/api/auth/token', { body: { email: 'a@example.org', password: 'x' } });
  await client.GET('/api/v1/me', { headers: { authorization: \`Bearer \${data?.access_token}\` } });
}

export async function platform(): Promise<void> {
  const client = createClient<Platform>({ baseUrl });
  await client.GET('/dm/api/core/rbac/policies/', { params: { query: { platform_key: 'acme' } } });
  await client.GET('/dm/api/core/rbac/policies/', {
    params: { query: { platform_key: 'acme', limit: 5, direction: 'backward' } },
  });
}

if (baseUrl !== '') await everything();
`;

/** Each line is a mistake that the types must catch. */
const mistakes = `
import createClient from 'openapi-fetch';
import type { paths as News } from './v1';
const news = createClient<News>({ baseUrl: '' });
void news.GET('/api/v1/items', { params: { query: { mode: 'everything' } } });
void news.GET('/api/v1/items', { params: { query: { limit: 'three' } } });
void news.GET('/api/v1/items', { params: { query: { colour: 'red' } } });
void news.GET('/api/v1/items/{id}');
void news.GET('/api/v1/nothing');
`;

const configuration = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    types: ['node'],
  },
};

let database: TestDatabase;
let app: NewsApp;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const clock = createTestClock('2026-11-15T12:00:00.000Z');
  const factory = createRecordFactory({ database: database.database, clock });
  await factory.publishSelected({ title: 'One of industry', category: 'industry' });
  app = await startNewsApp({ database, clock });
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'generated-client-'));
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  for (const name of ['v1', 'accounts', 'platform']) {
    const description = await readFile(new URL(`openapi-${name}.json`, docs), 'utf8');
    await write(`${name}.ts`, astToString(await openapiTS(description)));
  }
  await write('calls.ts', calls);
  await write('mistakes.ts', mistakes);
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', JSON.stringify(configuration));
}, 60_000);
afterAll(async () => {
  await app.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

test('a client generated from the descriptions compiles with and without parameters, and refuses wrong ones', async () => {
  const compiled = run(process.execPath, [compiler, '-p', folder]);
  const output = await compiled.then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  const lines = output.split('\n').filter((line) => line.includes('error TS'));
  const where = lines.map((line) => /([a-z0-9]+\.ts)\((\d+)/.exec(line)?.slice(1).join(':'));
  expect(lines.filter((line) => !line.includes('mistakes.ts'))).toEqual([]);
  expect(where).toEqual([4, 5, 6, 7, 8].map((line) => `mistakes.ts:${line + 1}`));
}, 60_000);

test('the generated client reads the news', async () => {
  const { stdout } = await run(process.execPath, [join(folder, 'calls.js'), `http://127.0.0.1:${app.port}`]);
  expect(JSON.parse(stdout)).toEqual({
    statuses: [200, 200, 200, 404, 200, 200, 200, 200, 200],
    titles: ['One of industry'],
    title: 'One of industry',
    code: 'not_found',
    language: null,
  });
}, 60_000);

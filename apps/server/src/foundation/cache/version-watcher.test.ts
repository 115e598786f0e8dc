import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test, vi } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import type { CopyEffects } from '../../record/cache-tags.ts';
import { purge, stale } from '../../record/cache-tags.ts';
import { writeVersionsAndLedger } from '../../record/representation-version-store.ts';
import { systemClock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { connectDatabase } from '../database/database.ts';
import { temporarilyUnavailable } from '../http/http-problems.ts';
import { defineRoute } from '../http/route.ts';
import { sendResource } from './representation-reply.ts';

let database: TestDatabase;
let apps: readonly TestApp[];
/** The text of the resource, in place of the record. */
let text = '';

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  text = 'first';
  apps = await Promise.all([startApp(), startApp()]);
});
afterEach(() => Promise.all(apps.map((app) => app.stop())));

async function startApp(): Promise<TestApp> {
  return startTestApp({
    database,
    clock: systemClock,
    routes: ({ anonymous, cache }) => [
      defineRoute({
        method: 'GET',
        path: '/text/{id}',
        surface: anonymous,
        operationId: 'getText',
        tag: 'sample',
        summary: 'The text, read through the database.',
        params: Type.Object({ id: Type.String() }),
        responses: { 200: { description: 'Text.', schema: Type.Object({ text: Type.String() }) } },
        problems: [temporarilyUnavailable],
        handle: ({ params, request, reply }) =>
          sendResource(
            request,
            reply,
            cache,
            {
              key: params.id,
              cacheTags: ['items'],
              build: async () => {
                const { rows } = await database.pool.query<{ text: string }>('SELECT $1::text AS text', [
                  text,
                ]);
                return { status: 200, contentType: 'application/json', body: JSON.stringify(rows[0]) };
              },
            },
            'no-store',
          ),
      }),
    ],
  });
}

const read = async (app: TestApp, id = 'a'): Promise<unknown> =>
  (await ask(app.port, `/text/${id}`)).json()['text'];

const bump = (target: Database, copies: CopyEffects): Promise<void> =>
  writeVersionsAndLedger(target, copies, [], systemClock.now());

/** How long each instance served the old text after the commit. */
async function lagsAfterPurge(): Promise<readonly number[]> {
  // A closed connection may be detected only when it is used.
  for (const app of apps) await vi.waitFor(async () => expect(await read(app)).toBe('first'));
  text = 'second';
  await bump(database.database, purge('items'));
  const committedAt = performance.now();
  return Promise.all(
    apps.map((app) =>
      vi.waitFor(
        async () => {
          expect(await read(app)).toBe('second');
          return performance.now() - committedAt;
        },
        { interval: 5, timeout: 5_000 },
      ),
    ),
  );
}

const listeners = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'daybook notifications'`;

describe('a purge reaches every instance within a second', () => {
  test('reaches every instance far sooner with notifications', async () => {
    await vi.waitFor(async () => {
      expect(await database.asSuperuser(`SELECT ${listeners} AND state = 'idle'`)).toHaveLength(2);
    });
    for (const lag of await lagsAfterPurge()) expect(lag).toBeLessThan(1_000);
  });

  test('reaches every instance while the listening connections are closed repeatedly', async () => {
    const cut = setInterval(
      () => void database.asSuperuser(`SELECT pg_terminate_backend(pid) ${listeners}`),
      50,
    );
    const lags = await lagsAfterPurge();
    clearInterval(cut);
    for (const lag of lags) expect(lag).toBeLessThan(1_000);
  });

  test('reaches every instance after all its connections were closed', async () => {
    await database.asSuperuser(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    for (const lag of await lagsAfterPurge()) expect(lag).toBeLessThan(1_000);
  });
});

test('reconnects a listener whose connection was closed', async () => {
  const pids = async (): Promise<readonly unknown[]> =>
    (await database.asSuperuser(`SELECT pid ${listeners} ORDER BY pid`)).map(({ pid }) => pid);
  await vi.waitFor(async () => expect(await pids()).toHaveLength(2));
  const before = await pids();
  await database.asSuperuser(`SELECT pg_terminate_backend(pid) ${listeners}`);
  await vi.waitFor(
    async () => {
      const after = await pids();
      expect(after).toHaveLength(2);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    },
    { timeout: 5_000 },
  );
});

test('serves a copy marked as changed until it may be rebuilt', async () => {
  const [app] = apps as [TestApp, TestApp];
  expect(await read(app)).toBe('first');
  text = 'second';
  await bump(database.database, stale('items'));
  expect(await read(app)).toBe('first');
  await vi.waitFor(async () => expect(await read(app)).toBe('second'), { timeout: 5_000 });
});

test('ignores a purge that is rolled back', async () => {
  const [app] = apps as [TestApp, TestApp];
  expect(await read(app)).toBe('first');
  const versionBefore = await database.asSuperuser('SELECT * FROM record.representation_version');
  await database.database
    .transaction()
    .execute(async (transaction) => {
      await bump(transaction, purge('items'));
      throw new Error('changed my mind');
    })
    .catch(() => {});
  expect(await database.asSuperuser('SELECT * FROM record.representation_version')).toEqual(versionBefore);
});

test('lets the news-reader login read the versions but not write them', async () => {
  const reader = connectDatabase({
    url: database.urls.newsReader,
    name: 'test',
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
  });
  await expect(bump(reader.database, purge('items'))).rejects.toThrow('permission denied');
  await reader.close();
});

test('serves cached copies and answers 503 otherwise while the database is unreachable, and recovers afterwards', async () => {
  const [app] = apps as [TestApp, TestApp];
  expect(await read(app)).toBe('first');
  const setUnreachable = async (value: boolean): Promise<void> => {
    await database.onServer(`ALTER DATABASE ${database.name} CONNECTION LIMIT ${value ? 0 : -1}`);
    if (value) {
      await database.onServer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`,
      );
    }
    await vi.waitFor(
      async () => {
        const { text: metrics } = await ask(app.port, '/metrics');
        expect(metrics).toContain(`daybook_database_away ${value ? 1 : 0}`);
      },
      { timeout: 10_000 },
    );
  };
  await setUnreachable(true);
  expect(await read(app)).toBe('first');
  expectProblem(await ask(app.port, '/text/b'), 503, 'temporarily_unavailable');
  await setUnreachable(false);
  expect(await read(app, 'b')).toBe('first');
});

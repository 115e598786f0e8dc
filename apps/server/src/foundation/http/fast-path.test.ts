import { Type } from 'typebox';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import type { TestAppOptions } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, askRaw, expectProblem } from '../../../test/http-client.ts';
import { sendResource } from '../cache/representation-reply.ts';
import { defineRoute } from './route.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface CachedApp extends TestApp {
  readonly get: (target: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** Responses sent before the router, by status. */
  readonly inFront: () => Promise<Readonly<Record<string, number>>>;
  /** How often the handler ran. */
  readonly handled: () => number;
}

async function start(
  settings: Readonly<Record<string, string>> = {},
  options: Pick<TestAppOptions, 'bounds' | 'burst'> = {},
): Promise<CachedApp> {
  let handled = 0;
  const app = await startTestApp({
    database,
    ...options,
    settings: { ...settings, DAYBOOK_METRICS_READERS: '127.0.0.1' },
    routes: ({ anonymous, cache }) => [
      defineRoute({
        method: 'GET',
        path: '/kept',
        surface: anonymous,
        operationId: 'getKept',
        tag: 'sample',
        summary: 'Kept.',
        query: Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false }),
        responses: {
          200: { description: 'The body.', schema: Type.Object({ text: Type.String() }) },
          304: { description: 'As you have it.' },
        },
        problems: [],
        handle: ({ request, reply }) => {
          handled += 1;
          const body = JSON.stringify({ text: 'word '.repeat(1_000) });
          const built = { status: 200, contentType: 'application/json; charset=utf-8', body };
          const resource = { key: 'kept', cacheTags: ['items'], build: async () => built, byTarget: true };
          return sendResource(request, reply, cache, resource, 'public, max-age=60');
        },
      }),
    ],
  });
  return {
    ...app,
    get: (target, headers = {}) => ask(app.port, target, { headers }),
    handled: () => handled,
    inFront: async () => {
      const { text } = await ask(app.port, '/metrics');
      const lines = text.matchAll(
        /^daybook_http_cached_responses_total\{route="\/kept",status="(\d+)"\} (\d+)$/gm,
      );
      return Object.fromEntries(Array.from(lines, ([, status, count]) => [status, Number(count)]));
    },
  };
}

test('answers repeated requests before the router, counts them, and gives each its own request id', async () => {
  const app = await start();
  onTestFinished(app.stop);
  const first = await app.get('/kept');
  const again = [await app.get('/kept'), await app.get('/kept')];
  const known = await app.get('/kept', { 'if-none-match': String(first.headers.etag) });
  expect(app.handled()).toBe(1);
  expect(again.map(({ text }) => text)).toEqual([first.text, first.text]);
  expect([known.status, known.text]).toEqual([304, '']);
  const ids = [first, ...again, known].map(({ headers }) => String(headers['x-request-id']));
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  expect(await app.inFront()).toEqual({ 200: 2, 304: 1 });
});

test('passes unusual requests to the router: another method, target, a body, two hosts, a long User-Agent', async () => {
  const app = await start();
  onTestFinished(app.stop);
  await app.get('/kept');
  expect((await ask(app.port, '/kept', { method: 'HEAD' })).status).toBe(200);
  expectProblem(await ask(app.port, '/kept', { method: 'POST', body: 'x' }), 405, 'method_not_allowed');
  expectProblem(await app.get('/kept?b=1'), 400, 'invalid_request');
  expect((await app.get('/kept?a=1')).status).toBe(200);
  expect((await app.get('/kept', { 'user-agent': 'x'.repeat(600) })).status).toBe(200);
  const twoHosts = 'GET /kept HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n';
  expectProblem(await askRaw(app.port, twoHosts), 400, 'invalid_request');
  expect(await app.inFront()).toEqual({});
});

test('counts both paths against the limit of an address, and refuses as the router does', async () => {
  const app = await start({ DAYBOOK_RATE_PER_MINUTE: '1' }, { burst: 5 });
  onTestFinished(app.stop);
  const statuses = [];
  for (let asked = 0; asked < 8; asked += 1) statuses.push((await app.get('/kept')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expectProblem(await app.get('/kept'), 429, 'rate_limited');
});

test('refuses cached responses to a client on the deny list', async () => {
  const app = await start({ DAYBOOK_DENIED_USER_AGENTS: 'badbot' });
  onTestFinished(app.stop);
  await app.get('/kept');
  expect((await app.get('/kept')).status).toBe(200);
  expectProblem(await app.get('/kept', { 'user-agent': 'BadBot/1' }), 403, 'actor_forbidden');
});

test('releases its slot after each response', async () => {
  const app = await start({}, { bounds: { inFlightMax: 1 } });
  onTestFinished(app.stop);
  for (let asked = 0; asked < 20; asked += 1) expect((await app.get('/kept')).status).toBe(200);
  const { text } = await ask(app.port, '/metrics');
  expect(text).toContain('daybook_http_requests_in_flight 0');
});

test('sends cached responses with Connection: close once the process drains', async () => {
  const app = await start({ DAYBOOK_DRAIN_NOTICE_MS: '1500' });
  await app.get('/kept');
  const connection = async (): Promise<unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${app.port}/kept`);
    await answer.text();
    return [answer.status, answer.headers.get('connection')];
  };
  expect(await connection()).toEqual([200, 'keep-alive']);
  const stopped = app.stop();
  expect(await connection()).toEqual([200, 'close']);
  await stopped;
  // Without encoding, and for the first time in the encoding that fetch requests.
  expect(app.handled()).toBe(2);
});

import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { internal, temporarilyUnavailable } from './http-problems.ts';
import { defineRoute } from './route.ts';

const secret = 'Bearer not-for-any-log';
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({
    database,
    routes: ({ anonymous }) => [
      defineRoute({
        method: 'GET',
        path: '/fail/{how}',
        surface: anonymous,
        operationId: 'fail',
        tag: 'sample',
        summary: 'Fails.',
        params: Type.Object({ how: Type.String() }),
        responses: { 200: { description: 'Never.' } },
        problems: [internal, temporarilyUnavailable],
        handle: async ({ params }) => {
          if (params.how === 'sql') await database.pool.query('SELECT secret_column FROM nowhere');
          if (params.how === 'unreachable') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
          if (params.how === 'text') throw 'a string, not an error';
          throw new Error('the password is hunter2');
        },
      }),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

test.each(['error', 'sql', 'text'])(
  'hides an unexpected error (%s) from the caller and logs it in full, under one request id',
  async (how) => {
    const answer = await ask(app.port, `/fail/${how}`, { headers: { authorization: secret } });
    const problem = expectProblem(answer, 500, 'internal');
    expect(problem['detail']).toBe('An unexpected error occurred.');
    expect(answer.text).not.toMatch(/hunter2|secret_column|nowhere|string/);
    const [line, ...more] = app.log.filter(({ requestId }) => requestId === problem['requestId']);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 'error', route: '/fail/:how' });
    expect(JSON.stringify(line)).toMatch(/hunter2|nowhere|a string, not an error/);
  },
);

test('answers 503 with Retry-After 30 while the database is unreachable', async () => {
  const answer = await ask(app.port, '/fail/unreachable');
  expectProblem(answer, 503, 'temporarily_unavailable');
  expect(answer.headers['retry-after']).toBe('30');
});

test('logs no credential of a client', async () => {
  const headers = { authorization: secret, cookie: 'sid=not-for-any-log', 'x-api-key': 'not-for-any-log' };
  for (const path of ['/fail/error', '/fail/unreachable', '/nowhere', '/livez?x=1'])
    await ask(app.port, path, { headers });
  expect(JSON.stringify(app.log)).not.toContain('not-for-any-log');
});

test.each([
  ['GET', '/livez', 200],
  ['HEAD', '/livez', 200],
  ['OPTIONS', '/livez', 204],
  ['POST', '/livez', 405],
  ['GET', '/fail/error', 500],
  ['GET', '/fail/unreachable', 503],
  ['GET', '/nowhere', 404],
])('%s %s forbids browsers to guess the media type', async (method, path, status) => {
  const answer = await ask(app.port, path, { method });
  expect([answer.status, answer.headers['x-content-type-options']]).toEqual([status, 'nosniff']);
});

test('generates a unique request id, whatever the client sends', async () => {
  const seen = new Set<unknown>();
  for (let round = 0; round < 50; round += 1) {
    const { headers } = await ask(app.port, '/livez', { headers: { 'x-request-id': 'forged' } });
    seen.add(headers['x-request-id']);
  }
  expect(seen.size).toBe(50);
  expect(seen).not.toContain('forged');
});

import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { sendResource } from '../cache/representation-reply.ts';
import { ProblemError } from '../problem.ts';
import { notFound } from './http-problems.ts';
import { defineRoute } from './route.ts';
import type { Surface } from './surface.ts';

const surface: Surface = { name: 'sample', cors: null, admit: () => {}, problems: [] };
const declared = {
  method: 'GET',
  surface,
  tag: 'sample',
  summary: 'A sample.',
  responses: { 200: { description: 'A number.', schema: Type.Object({ number: Type.Integer() }) } },
} as const;

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({
    database,
    routes: ({ cache }) => [
      defineRoute({
        ...declared,
        path: '/undeclared',
        operationId: 'undeclared',
        problems: [],
        handle: () => {
          throw new ProblemError(notFound, 'nothing');
        },
      }),
      defineRoute({
        ...declared,
        path: '/declared',
        operationId: 'declared',
        problems: [notFound],
        handle: () => {
          throw new ProblemError(notFound, 'nothing');
        },
      }),
      defineRoute({
        ...declared,
        path: '/off-schema',
        operationId: 'offSchema',
        problems: [],
        handle: ({ request, reply }) =>
          sendResource(
            request,
            reply,
            cache,
            {
              key: 'off-schema',
              cacheTags: [],
              build: async () => ({
                status: 200,
                contentType: 'application/json; charset=utf-8',
                body: JSON.stringify({ number: 'x'.repeat(600) }),
              }),
            },
            'no-store',
          ),
      }),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

test('accepts a declared problem', async () => {
  expectProblem(await ask(app.port, '/declared'), 404, 'not_found');
  expect(app.takeViolations()).toEqual([]);
});

test('reports an undeclared status once and answers 500', async () => {
  expectProblem(await ask(app.port, '/undeclared'), 500, 'internal');
  expect(app.takeViolations().map(({ message }) => message)).toEqual([
    'GET /undeclared: status 404 is not declared',
  ]);
});

test.each(['identity', 'br', 'gzip'])('reports a body off its schema in %s too', async (encoding) => {
  const answer = await ask(app.port, '/off-schema', { headers: { 'accept-encoding': encoding } });
  expect(answer.status).toBe(500);
  expect(app.takeViolations().map(({ message }) => message)).toEqual([
    'GET /off-schema: body of 200: data/number must be integer',
  ]);
});

test('fails a test whose app had a violation when the app stops', async () => {
  const failing = await startTestApp({
    database,
    routes: () => [
      defineRoute({
        ...declared,
        path: '/wrong',
        operationId: 'wrong',
        problems: [],
        handle: ({ reply }) => reply.code(204).send(),
      }),
    ],
  });
  await ask(failing.port, '/wrong');
  await expect(failing.stop()).rejects.toThrow('GET /wrong: status 204 is not declared');
});

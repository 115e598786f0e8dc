import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { formContentType } from './form-body.ts';
import { defineRoute } from './route.ts';
import type { Surface } from './surface.ts';

const body = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 20 })),
    policies: Type.Optional(Type.Array(Type.String(), { maxItems: 600 })),
  },
  { additionalProperties: false },
);
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  const echo = (path: string, surface: Surface, bodyFormat: 'json' | 'form') =>
    defineRoute({
      method: 'POST',
      path,
      surface,
      operationId: path,
      tag: 'sample',
      summary: 'Says what it read.',
      body,
      bodyFormat,
      responses: { 200: { description: 'What was read.', schema: body } },
      problems: [],
      handle: async ({ body: read }) => read,
    });
  app = await startTestApp({
    database,
    routes: ({ anonymous }) => [
      echo('/form', anonymous, 'form'),
      echo('/json', anonymous, 'json'),
      echo(
        '/page',
        {
          ...anonymous,
          presentProblem: (error, problem) => ({
            ...problem,
            headers: { ...problem.headers, 'content-type': 'text/html; charset=utf-8' },
            body: Buffer.from(`<p>${error.definition.title}</p>`),
          }),
        },
        'form',
      ),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const send = (path: string, text: string, type: string = formContentType) =>
  ask(app.port, path, { method: 'POST', body: text, headers: { 'content-type': type } });

test('a form is read by its schema: one value or every value, and nothing for what was left empty', async () => {
  const answer = await send('/form', 'name=+Zo%C3%AB&policies=1&policies=2');
  expect([answer.status, answer.json()]).toEqual([200, { name: ' Zoë', policies: ['1', '2'] }]);
  expect((await send('/form', 'name=&policies=')).json()).toEqual({ policies: [] });
  expect((await send('/form', '')).json()).toEqual({});
  expect((await send('/form', 'name=x', `${formContentType}; charset=UTF-8`)).status).toBe(200);
});

test.each([
  ['a field given twice', 'name=a&name=b'],
  ['a field that is not known', 'name=a&__proto__=b'],
  ['a value that is too long', `name=${'a'.repeat(21)}`],
  ['a NUL character', 'name=%00'],
  ['too many fields', 'policies=1&'.repeat(501)],
])('%s is 400', async (_what, text) => {
  expectProblem(await send('/form', text), 400, 'invalid_request');
});

test('a form route reads no JSON and a JSON route reads no form: 415', async () => {
  expectProblem(await send('/form', '{}', 'application/json'), 415, 'unsupported_media_type');
  expectProblem(await send('/form', 'name=a', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send('/json', 'name=a'), 415, 'unsupported_media_type');
});

test('where people read, a problem has the same status and headers in a form of its own', async () => {
  const answer = await send('/page', 'name=a&name=b');
  expect([answer.status, answer.text]).toEqual([400, '<p>Invalid request</p>']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-request-id']).toBeDefined();
});

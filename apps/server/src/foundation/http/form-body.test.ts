import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { UploadedFile, formContentType, multipartContentType } from './form-body.ts';
import type { BodyFormat } from './route.ts';
import { defineRoute } from './route.ts';
import type { Surface } from './surface.ts';

const body = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 20 })),
    policies: Type.Optional(Type.Array(Type.String(), { maxItems: 600 })),
  },
  { additionalProperties: false },
);
const uploads = (surface: Surface) =>
  defineRoute({
    method: 'POST',
    path: '/upload',
    surface,
    operationId: 'upload',
    tag: 'sample',
    summary: 'Says what it read.',
    body: Type.Object(
      { name: Type.Optional(Type.String({ maxLength: 20 })), file: Type.Optional(UploadedFile) },
      { additionalProperties: false },
    ),
    bodyFormat: 'multipart',
    bodyBytesMax: 100_000,
    responses: { 200: { description: 'What was read.', schema: Type.Any() } },
    problems: [],
    handle: async ({ body: { name, file } }) => ({ name, file: file?.toString('base64') }),
  });

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  const echo = (path: string, surface: Surface, bodyFormat: BodyFormat) =>
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
      uploads(anonymous),
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

test('reads a form by its schema: one value or every value, and nothing for an empty field', async () => {
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

test('refuses JSON on a form route and a form on a JSON route: 415', async () => {
  expectProblem(await send('/form', '{}', 'application/json'), 415, 'unsupported_media_type');
  expectProblem(await send('/form', 'name=a', 'text/plain'), 415, 'unsupported_media_type');
  expectProblem(await send('/json', 'name=a'), 415, 'unsupported_media_type');
});

const sendParts = async (parts: readonly (readonly [string, string | Blob])[], path = '/upload') => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  return ask(app.port, path, {
    method: 'POST',
    body: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  });
};
const everyByte = Uint8Array.from({ length: 256 }, (_none, index) => index);

test('reads a form with a file by its schema, byte for byte, and nothing for an empty field', async () => {
  const answer = await sendParts([
    ['name', 'Zoë'],
    ['file', new Blob([everyByte, '\r\n--'])],
  ]);
  const file = Buffer.concat([everyByte, Buffer.from('\r\n--')]).toString('base64');
  expect([answer.status, answer.json()]).toEqual([200, { name: 'Zoë', file }]);
  const empty = await sendParts([
    ['name', ''],
    ['file', new Blob([])],
  ]);
  expect([empty.status, empty.json()]).toEqual([200, {}]);
});

test.each<[string, readonly (readonly [string, string | Blob])[]]>([
  ['a file given twice', [...Array(2)].map(() => ['file', new Blob(['a'])] as const)],
  ['a text where a file belongs', [['file', 'a']]],
  ['a file where a text belongs', [['name', new Blob(['a'])]]],
  ['a file that is not known', [['__proto__', new Blob(['a'])]]],
  ['a value that is too long', [['name', 'a'.repeat(21)]]],
  ['too many parts', [...Array(501)].map((_none, index) => [`part ${index}`, ''] as const)],
])('%s is 400', async (_what, parts) => {
  expectProblem(await sendParts(parts), 400, 'invalid_request');
});

test.each([
  ['no boundary', multipartContentType, '--x\r\n'],
  ['another boundary', `${multipartContentType}; boundary=x`, '--y\r\n\r\n--y--\r\n'],
  [
    'no end',
    `${multipartContentType}; boundary=x`,
    '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\na',
  ],
])('a form with files that has %s is 400', async (_what, type, text) => {
  expectProblem(await send('/upload', text, type), 400, 'invalid_request');
});

test('accepts files only on a route for files (415), and only up to its bound (413)', async () => {
  for (const path of ['/form', '/json'])
    expectProblem(await sendParts([['name', 'a']], path), 415, 'unsupported_media_type');
  expectProblem(await send('/upload', 'name=a'), 415, 'unsupported_media_type');
  expectProblem(await send('/upload', '{}', 'application/json'), 415, 'unsupported_media_type');
  const large = await sendParts([['file', new Blob([new Uint8Array(100_000)])]]);
  expectProblem(large, 413, 'payload_too_large');
});

test('renders a problem on pages with the same status and headers', async () => {
  const answer = await send('/page', 'name=a&name=b');
  expect([answer.status, answer.text]).toEqual([400, '<p>Invalid request</p>']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-request-id']).toBeDefined();
});

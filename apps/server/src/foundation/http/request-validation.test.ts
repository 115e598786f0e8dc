import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, askRaw, expectProblem } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';

const QuerySchema = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    mode: Type.Optional(Type.Enum(['all', 'selected'])),
    q: Type.Optional(Type.String({ maxLength: 10 })),
  },
  { additionalProperties: false },
);
const NoteSchema = Type.Object(
  { text: Type.String({ maxLength: 100 }), tags: Type.Optional(Type.Array(Type.String())) },
  { additionalProperties: false },
);

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({
    database,
    routes: ({ anonymous }) => [
      defineRoute({
        method: 'GET',
        path: '/list/{name}',
        surface: anonymous,
        operationId: 'list',
        tag: 'sample',
        summary: 'Sends back its parameters.',
        params: Type.Object({ name: Type.String({ maxLength: 128 }) }),
        query: QuerySchema,
        responses: {
          200: { description: 'As read.', schema: Type.Object({ name: Type.String(), query: QuerySchema }) },
        },
        problems: [],
        handle: ({ params, query, reply }) => reply.send({ name: params.name, query }),
      }),
      defineRoute({
        method: 'POST',
        path: '/notes',
        surface: anonymous,
        operationId: 'note',
        tag: 'sample',
        summary: 'Sends back its body.',
        body: NoteSchema,
        bodyBytesMax: 4_096,
        responses: { 200: { description: 'The same.', schema: NoteSchema } },
        problems: [],
        handle: ({ body, reply }) => reply.send(body),
      }),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const post = (body: string | Buffer, type = 'application/json') =>
  ask(app.port, '/notes', { method: 'POST', body, headers: { 'content-type': type } });

describe('a query', () => {
  test('is parsed as declared, with its defaults', async () => {
    const answer = await ask(app.port, '/list/a%2Fb?mode=all&q=%E4%BA%BA+%2B&limit=007');
    expect(answer.json()).toEqual({ name: 'a/b', query: { limit: 7, mode: 'all', q: '人 +' } });
    expect((await ask(app.port, '/list/x?')).json()).toEqual({ name: 'x', query: { limit: 20 } });
  });

  test.each([
    ['undeclared', 'color=red', 'color', 'is not a parameter of this request'],
    ['named as what every object has', '__proto__=1', '__proto__', 'is not a parameter of this request'],
    ['named as another', 'constructor=1', 'constructor', 'is not a parameter of this request'],
    ['without a name', '=1', '', 'is not a parameter of this request'],
    ['repeated', 'limit=1&limit=1', 'limit', 'must be sent only once'],
    ['repeated in another spelling', 'limit=1&%6cimit=2', 'limit', 'must be sent only once'],
    ['signed', 'limit=-1', 'limit', 'must be integer'],
    ['signed plus', 'limit=%2B1', 'limit', 'must be integer'],
    ['padded', 'limit=+1', 'limit', 'must be integer'],
    ['with an exponent', 'limit=1e1', 'limit', 'must be integer'],
    ['with a fraction', 'limit=1.0', 'limit', 'must be integer'],
    ['in hexadecimal', 'limit=0x10', 'limit', 'must be integer'],
    ['in another script', 'limit=%D9%A1', 'limit', 'must be integer'],
    ['larger than numbers go', `limit=${'9'.repeat(20)}`, 'limit', 'must be integer'],
    ['empty', 'limit=', 'limit', 'must be integer'],
    ['too large', 'limit=101', 'limit', 'must be <= 100'],
    ['not one of the list', 'mode=none', 'mode', 'must be one of all, selected'],
    ['broken in its encoding', 'q=%E4%BA', 'q', 'is not valid percent-encoded UTF-8'],
    ['broken in its name', '%zz=1', '?', 'contains a parameter name that is not valid percent-encoded UTF-8'],
    ['with a NUL', 'q=a%00b', 'q', 'contains a NUL character'],
    ['too long', 'q=12345678901', 'q', 'must NOT have more than 10 characters'],
  ])('with a parameter that is %s is refused by name', async (_name, query, name, message) => {
    const problem = expectProblem(await ask(app.port, `/list/x?${query}`), 400, 'invalid_request');
    expect(problem['errors']).toContainEqual({ in: 'query', name, message });
  });

  test('reports every invalid place', async () => {
    const answer = await ask(app.port, '/list/x?limit=0&mode=none&color=red');
    const { errors } = answer.json() as { errors: { name: string }[] };
    expect(errors.map(({ name }) => name).sort()).toEqual(['color', 'limit', 'mode']);
  });

  test('with a thousand parameters is refused without a thousand errors', async () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `p${index}=1`).join('&');
    const problem = expectProblem(await ask(app.port, `/list/x?${query}`), 400, 'invalid_request');
    expect(problem['errors']).toHaveLength(1);
  });

  test('is strict where a route declares none', async () => {
    expectProblem(await ask(app.port, '/livez?verbose=1'), 400, 'invalid_request');
  });
});

test('refuses a NUL in an address before it reaches the database', async () => {
  const problem = expectProblem(await ask(app.port, '/list/a%00b'), 400, 'invalid_request');
  expect(problem['errors']).toEqual([{ in: 'path', name: 'name', message: 'contains a NUL character' }]);
});

describe('a body', () => {
  test('is parsed as declared', async () => {
    expect((await post('{"text":"hello"}')).json()).toEqual({ text: 'hello' });
  });

  test.each([
    ['that is not JSON', '{"text":'],
    ['that is empty', ''],
    ['of another shape', '[1]'],
    ['with an undeclared field', '{"text":"a","color":"red"}'],
    ['with a NUL', '{"text":"\\u0000"}'],
    ['with half a surrogate pair', '{"text":"\\ud800"}'],
    ['that reaches for the prototype', '{"text":"a","__proto__":{"admin":true}}'],
    ['nested beyond reason', `{"text":"a","tags":${'['.repeat(1_500)}${']'.repeat(1_500)}}`],
    ['nested beyond reason in objects', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`],
  ])('%s is 400', async (_name, body) => {
    expectProblem(await post(body), 400, 'invalid_request');
  });

  test('that is wrong everywhere gets at most twenty errors', async () => {
    const body = JSON.stringify({ text: 'a', tags: Array.from({ length: 300 }, () => '\0') });
    expect(expectProblem(await post(body), 400, 'invalid_request')['errors']).toHaveLength(20);
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense', ''])(
    'of type "%s" is 415',
    async (type) => {
      expectProblem(await post('{"text":"a"}', type), 415, 'unsupported_media_type');
    },
  );

  test('larger than the limit of its route is 413, declared or in chunks', async () => {
    const large = JSON.stringify({ text: 'a'.repeat(5_000) });
    expectProblem(await post(large), 413, 'payload_too_large');
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const head = 'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    expectProblem(
      await askRaw(app.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`),
      413,
      'payload_too_large',
    );
  });

  test('of a declared gigabyte is 413 before it is sent', async () => {
    const head = 'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    expectProblem(
      await askRaw(app.port, `${head}Content-Length: 1000000000\r\n\r\n`),
      413,
      'payload_too_large',
    );
  });
});

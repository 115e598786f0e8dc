import { METHODS } from 'node:http';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, askRaw, expectProblem } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';
import type { RouteDeclaration } from './route.ts';
import type { Surface } from './surface.ts';

const TextSchema = Type.Object({ text: Type.String() });
const closedSurface: Surface = { name: 'closed', cors: null, admit: () => {}, problems: [] };

function sampleRoutes(anonymous: Surface): readonly RouteDeclaration[] {
  const declared = { tag: 'sample', summary: 'A sample.', problems: [] };
  const ok = { 200: { description: 'Text.', schema: TextSchema } };
  return [
    defineRoute({
      ...declared,
      method: 'GET',
      path: '/things/{id}',
      surface: anonymous,
      operationId: 'getThing',
      params: Type.Object({ id: Type.String() }),
      responses: ok,
      handle: ({ params, reply }) => reply.send({ text: params.id }),
    }),
    defineRoute({
      ...declared,
      method: 'POST',
      path: '/things',
      surface: closedSurface,
      operationId: 'postThing',
      body: TextSchema,
      responses: ok,
      handle: ({ body, reply }) => reply.send(body),
    }),
    defineRoute({
      ...declared,
      method: 'DELETE',
      path: '/things',
      surface: closedSurface,
      operationId: 'deleteThings',
      responses: { 204: { description: 'Gone.' } },
      handle: ({ reply }) => reply.code(204).send(),
    }),
  ];
}

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ database, routes: ({ anonymous }) => sampleRoutes(anonymous) });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

describe('405', () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));
  test.each(others)('%s on a read-only address is refused, with Allow', async (method) => {
    const answer = await ask(app.port, '/things/1', { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('lists the accepted methods in Allow, and no HEAD without a GET', async () => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const answer = await ask(app.port, '/things', { method });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, OPTIONS, POST']);
    }
  });

  test.each(['Content-Length: 1000000000', 'Transfer-Encoding: chunked'])(
    'is sent before a byte of the body is sent, and closes the connection: %s',
    async (length) => {
      const bytes = `POST /things/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
      const answer = await askRaw(app.port, bytes);
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.connection).toBe('close');
    },
  );

  test('answers 404 for an unknown address before a byte of the body is sent', async () => {
    const bytes =
      'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n';
    expectProblem(await askRaw(app.port, bytes), 404, 'not_found');
  });

  test('a small refused body leaves the connection usable', async () => {
    const refused = 'POST /things/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';
    const next = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await askRaw(app.port, refused + next);
    expect(answer.status).toBe(405);
    expect(answer.text).toContain('{"status":"alive"}');
  });
});

test('HEAD answers as GET does, without the body', async () => {
  for (const path of ['/things/1', '/livez', '/readyz', '/metrics', '/things/1?x=1', '/nowhere']) {
    const [get, head] = [await ask(app.port, path), await ask(app.port, path, { method: 'HEAD' })];
    expect([path, head.status, head.body.length]).toEqual([path, get.status, 0]);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    // The metrics have changed in between.
    const lengths = path === '/metrics' ? [] : [head.headers['content-length']];
    expect(lengths).toEqual(lengths.map(() => get.headers['content-length']));
    expect(head.headers['x-request-id']).toMatch(/^[\w-]{22}$/);
  }
});

describe('OPTIONS is 204', () => {
  test('lets any origin read on the anonymous surface', async () => {
    const answer = await ask(app.port, '/things/1', {
      method: 'OPTIONS',
      headers: { origin: 'https://reader.example', 'access-control-request-method': 'GET' },
    });
    expect([answer.status, answer.body.length]).toEqual([204, 0]);
    expect(answer.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'If-None-Match',
      'access-control-max-age': '86400',
      'x-request-id': expect.stringMatching(/^[\w-]{22}$/) as string,
    });
  });

  test('allows no other origin elsewhere', async () => {
    const answer = await ask(app.port, '/things', {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'DELETE, OPTIONS, POST']);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

test('lets any origin read every response of the anonymous surface with its headers, errors too', async () => {
  for (const [path, method] of [
    ['/things/1', 'GET'],
    ['/things/1?x=1', 'GET'],
    ['/things/1', 'PUT'],
  ] as const) {
    const { headers } = await ask(app.port, path, { method });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-expose-headers']).toBe('ETag, Retry-After, X-Request-Id');
  }
  const closed = await ask(app.port, '/things', { method: 'POST', json: { text: 'a' } });
  expect(closed.status).toBe(200);
  expect(closed.headers['access-control-allow-origin']).toBeUndefined();
});

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, askRaw, expectProblem, openSocket, parseAnswer } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({
    database,
    bounds: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
    routes: ({ anonymous }) => [
      defineRoute({
        method: 'POST',
        path: '/echo',
        surface: anonymous,
        operationId: 'echo',
        tag: 'sample',
        summary: 'Sends back what it got.',
        body: Type.Object({ text: Type.String() }),
        responses: { 200: { description: 'The same.', schema: Type.Object({ text: Type.String() }) } },
        problems: [],
        handle: ({ body, reply }) => reply.send(body),
      }),
      defineRoute({
        method: 'GET',
        path: '/drip',
        surface: anonymous,
        operationId: 'drip',
        tag: 'sample',
        summary: 'Sends a part and never the rest.',
        responses: { 200: { description: 'A part.', schema: Type.String(), contentType: 'text/plain' } },
        problems: [],
        handle: ({ reply }) => {
          reply.hijack();
          reply.raw.writeHead(200, { 'content-length': '1000' }).write('part');
        },
      }),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

describe('400', () => {
  test.each([
    ['a request line that is not HTTP', 'hello there\r\n\r\n'],
    ['an address without a slash', 'GET livez HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a header name with a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    [
      'both a length and chunks, which two servers might read as different requests',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    [
      'a chunk size that is no number',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s is answered with a problem', async (_name, bytes) => {
    expectProblem(await askRaw(app.port, bytes), 400, 'invalid_request');
  });

  test('answers an HTTP/1.1 request without Host with a problem that names the header', async () => {
    const problem = expectProblem(
      await askRaw(app.port, 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'invalid_request',
    );
    expect(problem['errors']).toEqual([{ in: 'header', name: 'Host', message: 'is required' }]);
  });

  test.each([
    ['HTTP/1.1', '/livez', 'Host: a.example\r\nhOST: b.example'],
    ['HTTP/1.1', '/livez', 'Host: a.example\r\nHost: a.example'],
    ['HTTP/1.0', '/livez', 'Host: a.example\r\nHost: b.example'],
    ['HTTP/1.1', '/nowhere', 'Host: a.example\r\nAccept: */*\r\nHost: b.example'],
  ])('two Host headers (%s %s %j) are a problem that names the header', async (version, path, hosts) => {
    const bytes = `GET ${path} ${version}\r\n${hosts}\r\nConnection: close\r\n\r\n`;
    const problem = expectProblem(await askRaw(app.port, bytes), 400, 'invalid_request');
    expect(problem['errors']).toEqual([{ in: 'header', name: 'Host', message: 'must be sent only once' }]);
  });

  test('does not take a header whose name only begins like Host for Host', async () => {
    const bytes = 'GET /livez HTTP/1.1\r\nHost: x\r\nHosts: y\r\nHos: z\r\nConnection: close\r\n\r\n';
    expect((await askRaw(app.port, bytes)).status).toBe(200);
  });

  test('accepts an HTTP/1.0 request without Host', async () => {
    expect((await askRaw(app.port, 'GET /livez HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test.each(['/%', '/%zz', '/echo/%E0%A4%A', '/%FF'])('refuses the address %s', async (path) => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expectProblem(await askRaw(app.port, bytes), 400, 'invalid_request');
  });
});

describe('404', () => {
  test.each(['*', '//', '/.%2e/', '/a/../livez'])('refuses the address %s', async (path) => {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expectProblem(await askRaw(app.port, bytes), 404, 'not_found');
  });

  test('routes the absolute form of an address to the same place', async () => {
    const bytes = 'GET http://daybook.example/livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    expect((await askRaw(app.port, bytes)).status).toBe(200);
  });
});

test.each([
  ['CONNECT', 'CONNECT db:5432 HTTP/1.1\r\nHost: db:5432\r\n\r\n'],
  ['a method that nobody knows', 'FROBNICATE /livez HTTP/1.1\r\nHost: x\r\n\r\n'],
])('405: %s', async (_name, bytes) => {
  const answer = await askRaw(app.port, bytes);
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.headers.allow).toBeDefined();
});

describe('408', () => {
  test('times out when the headers do not arrive', async () => {
    expectProblem(await askRaw(app.port, 'GET /livez HTTP/1.1\r\nHost: x\r\n'), 408, 'request_timeout');
  });

  test('times out when the body does not arrive', async () => {
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n';
    expectProblem(await askRaw(app.port, `${head}{"text":`), 408, 'request_timeout');
  });

  test('times out when a client sends only a byte now and then', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const socket = openSocket(app.port, reject);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('a'), 50);
    const answer = parseAnswer(await promise);
    clearInterval(drip);
    expectProblem(answer, 408, 'request_timeout');
  });
});

describe('417', () => {
  test('answers an unknown expectation with a problem', async () => {
    const answer = await ask(app.port, '/livez', { headers: { expect: 'miracles' } });
    expectProblem(answer, 417, 'expectation_failed');
  });

  test('grants 100-continue once the body is read', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const socket = openSocket(app.port, reject);
    let received = '';
    socket.on('close', () => resolve(received));
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.endsWith('100 Continue\r\n\r\n')) socket.write('{"text":"hello"}');
    });
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n',
    );
    const [invitation = '', answer = ''] = (await promise).split(/(?<=100 Continue\r\n\r\n)/);
    expect(invitation).toContain('100 Continue');
    expect(parseAnswer(answer).json()).toEqual({ text: 'hello' });
  });

  test('does not grant 100-continue for a body that is not read', async () => {
    const bytes =
      'PUT /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n';
    expectProblem(await askRaw(app.port, bytes), 405, 'method_not_allowed');
  });
});

describe('431', () => {
  test.each([
    ['headers', `GET /livez HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(17_000)}\r\n\r\n`],
    ['a request line', `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['many small headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(4_000)}\r\n`],
  ])('%s of more than 16 KiB are a problem', async (_name, bytes) => {
    expectProblem(await askRaw(app.port, bytes), 431, 'headers_too_large');
  });
});

test('an error is never written into the middle of a response', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = openSocket(app.port, reject);
  let received = '';
  socket.on('close', () => resolve(received));
  socket.on('data', (chunk) => {
    received += chunk.toString();
    if (received.endsWith('part')) socket.write('this is not HTTP\r\n\r\n');
  });
  socket.write('GET /drip HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await promise).split('\r\n\r\n')[1]).toBe('part');
});

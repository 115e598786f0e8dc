import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ask, askRaw, expectProblem, openSocket } from '../../../test/http-client.ts';
import { internal, temporarilyUnavailable } from './http-problems.ts';
import { streamOf } from './open-stream.ts';
import { defineRoute } from './route.ts';
import { contentResponses, rangeNotSatisfiable, sendContent } from './send-content.ts';

const bodyBytesMax = 1_000_000;
const periodMs = 300;
const progress = { bytes: 100, withinMs: periodMs };
const text = 'The quick brown fox';

let database: TestDatabase;
let app: TestApp;
/** Why each aborted stream ended early, in order. */
const ends: unknown[] = [];
let ended = Promise.withResolvers<void>();

/** Of the body that is not read: opened, and why it ended. */
const [opened, left] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];

const routes: Parameters<typeof startTestApp>[0]['routes'] = ({ anonymous: surface }) => [
  defineRoute({
    method: 'POST',
    path: '/take',
    surface,
    operationId: 'take',
    tag: 'sample',
    summary: 'Counts the bytes of a body.',
    stream: { bodyBytesMax, progress },
    responses: { 200: { description: 'How many.', schema: Type.Object({ bytes: Type.Integer() }) } },
    problems: [temporarilyUnavailable, internal],
    handle: async ({ request }) => {
      const { signal, body } = streamOf(request);
      signal.addEventListener('abort', () => {
        ends.push(signal.reason);
        ended.resolve();
      });
      let bytes = 0;
      for await (const chunk of body()) bytes += (chunk as Buffer).length;
      return { bytes };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/ignore',
    surface,
    operationId: 'ignore',
    tag: 'sample',
    summary: 'Opens a body and does not read it.',
    stream: { bodyBytesMax, progress: { bytes: 0, withinMs: 60_000 } },
    responses: { 200: { description: 'Done.', schema: Type.Object({}) } },
    problems: [temporarilyUnavailable, internal],
    handle: async ({ request }) => {
      const { signal, body } = streamOf(request);
      body();
      opened.resolve();
      await once(signal, 'abort');
      left.resolve(signal.reason);
      return {};
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/give/{what}',
    surface,
    operationId: 'give',
    tag: 'sample',
    summary: 'A text, or more than anyone can take.',
    params: Type.Object({ what: Type.String() }),
    stream: { bodyBytesMax: 0, progress },
    responses: contentResponses,
    problems: [rangeNotSatisfiable, temporarilyUnavailable, internal],
    handle: async ({ params, request, reply }) => {
      const endless = params.what === 'much';
      const size = endless ? 1e12 : params.what === 'nothing' ? 0 : text.length;
      return sendContent(request, reply, {
        entityTag: '"one"',
        size,
        contentType: 'text/plain',
        open: async (range, signal) => {
          signal.addEventListener('abort', () => {
            ends.push(signal.reason);
            ended.resolve();
          });
          const { first, last } = range ?? { first: 0, last: size - 1 };
          return Readable.from(endless ? zeros() : [Buffer.from(text.slice(first, last + 1))]);
        },
      });
    },
  }),
];

function* zeros(): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536);
  for (;;) yield chunk;
}

const bounds = { requestTimeoutMs: 400, headersTimeoutMs: 300 };

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({ database, bounds, routes });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

/** Clears the earlier results. */
function watchEnds(): void {
  ends.length = 0;
  ended = Promise.withResolvers();
}

const head = 'POST /take HTTP/1.1\r\nHost: x\r\n';

describe('a streamed request body', () => {
  test('of any media type, or none, reaches the handler whole', async () => {
    for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'image/png' }, {}]) {
      const answer = await ask(app.port, '/take', {
        method: 'POST',
        headers,
        body: Buffer.alloc(bodyBytesMax),
      });
      expect([answer.status, answer.json()]).toEqual([200, { bytes: bodyBytesMax }]);
    }
    expect((await ask(app.port, '/take', { method: 'POST' })).json()).toEqual({ bytes: 0 });
  });

  test('may take longer than a whole request, as long as it moves', async () => {
    const request = httpRequest({ port: app.port, path: '/take', method: 'POST', agent: false });
    const answered = once(request, 'response');
    const began = performance.now();
    const timer = setInterval(() => {
      request.write(Buffer.alloc(500));
      if (performance.now() - began > 2_500) {
        clearInterval(timer);
        request.end();
      }
    }, 50);
    const [response] = (await answered) as [{ statusCode: number; resume: () => void }];
    expect(response.statusCode).toBe(200);
    response.resume();
  });

  test('larger than its bound is 413: before a byte is read where Content-Length says so, else during the upload', async () => {
    const declared = await askRaw(app.port, `${head}Content-Length: ${bodyBytesMax + 1}\r\n\r\n`);
    expectProblem(declared, 413, 'payload_too_large');
    const bytes = bodyBytesMax + 1;
    const chunk = `${head}Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${'x'.repeat(bytes)}`;
    expectProblem(await askRaw(app.port, chunk), 413, 'payload_too_large');
  });

  test('that trickles is 408, and the handler receives the reason', async () => {
    watchEnds();
    expectProblem(await askRaw(app.port, `${head}Content-Length: 5000\r\n\r\nabc`), 408, 'request_timeout');
    expect(ends).toEqual([expect.objectContaining({ detail: 'The connection was too slow.' })]);
  });

  test('whose client disconnects aborts its handler', async () => {
    watchEnds();
    const socket = openSocket(app.port, () => {});
    socket.write(`${head}Content-Length: 5000\r\n\r\nabc`, () => socket.resetAndDestroy());
    await ended.promise;
    expect(ends).toEqual([
      expect.objectContaining({ detail: 'The request ended before its body was complete.' }),
    ]);
  });

  test('is sent by a client that waits for 100 Continue only when the handler reads it', async () => {
    const request = httpRequest({
      port: app.port,
      path: '/take',
      method: 'POST',
      agent: false,
      headers: { expect: '100-continue', 'content-length': '3' },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('abc');
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume: () => void }];
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});

describe('a streamed response', () => {
  test('is sent whole, by range, and not at all where the client has the current version', async () => {
    const whole = await ask(app.port, '/give/text');
    expect([whole.status, whole.text, whole.headers['etag']]).toEqual([200, text, '"one"']);
    const part = await ask(app.port, '/give/text', { headers: { range: 'bytes=4-8' } });
    expect([part.status, part.text]).toEqual([206, 'quick']);
    expect(part.headers['content-range']).toBe(`bytes 4-8/${text.length}`);
    const held = await ask(app.port, '/give/text', { headers: { 'if-none-match': '"one"' } });
    expect([held.status, held.text]).toEqual([304, '']);
    expect((await ask(app.port, '/give/nothing')).headers['content-length']).toBe('0');
  });

  test('is sent whole when If-Range names another version', async () => {
    const range = 'bytes=4-8';
    const same = await ask(app.port, '/give/text', { headers: { range, 'if-range': '"one"' } });
    const other = await ask(app.port, '/give/text', { headers: { range, 'if-range': '"two"' } });
    expect([same.status, other.status]).toEqual([206, 200]);
  });

  test('answers 416 with the size to a range behind the end', async () => {
    const answer = await ask(app.port, '/give/text', { headers: { range: 'bytes=99-' } });
    expectProblem(answer, 416, 'range_not_satisfiable');
    expect(answer.headers['content-range']).toBe(`bytes */${text.length}`);
  });

  test('answers HEAD with the length and opens nothing', async () => {
    watchEnds();
    const answer = await ask(app.port, '/give/much', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, String(1e12), '']);
    expect(ends).toEqual([]);
  });

  test('that the client does not read is aborted, and its source is closed', async () => {
    watchEnds();
    const socket = openSocket(app.port, () => {});
    socket.pause();
    socket.write('GET /give/much HTTP/1.1\r\nHost: x\r\n\r\n');
    await ended.promise;
    expect(ends[0]).toMatchObject({ detail: 'The connection was too slow.' });
    socket.destroy();
  });
});

describe('the number of concurrent streams', () => {
  test('is bounded separately from other requests, and every slot is released', async () => {
    const small = await startTestApp({ database, bounds: { streamsMax: 1 }, routes });
    try {
      const holder = httpRequest({ port: small.port, path: '/take', method: 'POST', agent: false });
      holder.flushHeaders();
      holder.write('abc');
      await expect
        .poll(async () => (await ask(small.port, '/metrics')).text)
        .toContain('daybook_http_streams_open 1');
      expectProblem(await ask(small.port, '/give/text'), 503, 'temporarily_unavailable');
      expect((await ask(small.port, '/livez')).status).toBe(200);
      holder.end();
      await once(holder, 'response');
      holder.destroy();
      await expect.poll(async () => (await ask(small.port, '/give/text')).status).toBe(200);
    } finally {
      await small.stop();
    }
  });

  test('a draining process lets streams finish, and aborts those that take too long', async () => {
    const leaving = await startTestApp({ database, bounds: { drainFinishMs: 150 }, routes });
    watchEnds();
    const request = httpRequest({ port: leaving.port, path: '/take', method: 'POST', agent: false });
    request.on('error', () => {});
    request.write(Buffer.alloc(1_000));
    await expect
      .poll(async () => (await ask(leaving.port, '/metrics')).text)
      .toContain('daybook_http_streams_open 1');
    await leaving.stop();
    expect(ends).toEqual([expect.objectContaining({ detail: 'The server is shutting down.' })]);
  });
});

test('a client that leaves before its body is read does not end the process', async () => {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': '1000' };
  const request = httpRequest({ port: app.port, path: '/ignore', method: 'POST', headers, agent: false });
  request.on('error', () => {});
  request.write('some');
  await opened.promise;
  request.destroy();
  expect(await left.promise).toMatchObject({ definition: { code: 'invalid_request' } });
  expect((await ask(app.port, '/give/nothing')).status).toBe(200);
});

import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask } from '../../../test/http-client.ts';
import { defineRoute } from '../http/route.ts';
import { sendResource } from './representation-reply.ts';
import type { BuiltBody } from './representation.ts';

const json = 'application/json; charset=utf-8';
const samples: Readonly<Record<string, BuiltBody>> = {
  large: { status: 200, contentType: json, body: JSON.stringify({ text: '新闻 news '.repeat(500) }) },
  small: { status: 200, contentType: json, body: '{"text":"a"}' },
  random: {
    status: 200,
    contentType: json,
    body: JSON.stringify({ text: randomBytes(600).toString('hex') }),
  },
  moved: { status: 308, contentType: json, body: '{"text":"moved"}', headers: { location: 'large' } },
};
const cacheControl = 'public, max-age=60';

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({
    database,
    routes: ({ anonymous, cache }) => [
      defineRoute({
        method: 'GET',
        path: '/samples/{name}',
        surface: anonymous,
        operationId: 'sample',
        tag: 'sample',
        summary: 'One of the samples.',
        params: Type.Object({ name: Type.String() }),
        responses: {
          200: { description: 'Text.', schema: Type.Object({ text: Type.String() }) },
          304: { description: 'As you have it.' },
          308: { description: 'Elsewhere.' },
        },
        problems: [],
        handle: ({ params: { name }, request, reply }) =>
          sendResource(
            request,
            reply,
            cache,
            { key: name, cacheTags: ['samples'], build: async () => samples[name] as BuiltBody },
            cacheControl,
          ),
      }),
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const get = (name: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> =>
  ask(app.port, `/samples/${name}`, { headers, method });

describe('200', () => {
  test('sends the same body and the same entity tag in every encoding', async () => {
    const [identity, br, gzip] = [
      await get('large'),
      await get('large', { 'accept-encoding': 'gzip, deflate, br' }),
      await get('large', { 'accept-encoding': 'gzip' }),
    ];
    expect(brotliDecompressSync(br.body).equals(identity.body)).toBe(true);
    expect(gunzipSync(gzip.body).equals(identity.body)).toBe(true);
    expect(identity.text).toBe(samples['large']?.body);
    expect([identity, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(new Set([identity, br, gzip].map(({ headers }) => headers.etag)).size).toBe(1);
    for (const { headers, body } of [identity, br, gzip]) {
      expect(headers).toMatchObject({
        'content-type': json,
        'cache-control': cacheControl,
        vary: 'accept-encoding',
        etag: expect.stringMatching(/^W\/"[\w-]{27}"$/) as string,
        'content-length': String(body.length),
      });
    }
  });

  test('tells shared caches the lifetime and the purge tags', async () => {
    const expected = { 'x-accel-expires': '1', 'surrogate-key': 'samples', 'cache-tag': 'samples' };
    for (const name of ['large', 'small', 'moved']) expect((await get(name)).headers).toMatchObject(expected);
  });

  test('sends the same bytes for a second request in an encoding', async () => {
    const headers = { 'accept-encoding': 'br' };
    expect((await get('large', headers)).body.equals((await get('large', headers)).body)).toBe(true);
  });

  test('sends a small or incompressible body without encoding', async () => {
    for (const name of ['small', 'moved']) {
      const answer = await get(name, { 'accept-encoding': 'br' });
      expect([answer.headers['content-encoding'], answer.text]).toEqual([undefined, samples[name]?.body]);
    }
    const random = await get('random', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(random.body).toString()).toBe(samples['random']?.body);
  });

  test('HEAD returns the length of the encoding that GET would send', async () => {
    const headers = { 'accept-encoding': 'br' };
    const [head, full] = [await get('large', headers, 'HEAD'), await get('large', headers)];
    expect([head.body.length, head.headers['content-length']]).toEqual([0, String(full.body.length)]);
    expect(head.headers.etag).toBe(full.headers.etag);
  });
});

describe('304', () => {
  test.each([
    ['its tag', (tag: string) => tag],
    ['its tag as a strong one', (tag: string) => tag.slice(2)],
    ['a list that holds it', (tag: string) => `"other", ${tag}, W/"more"`],
    ['a star', () => '*'],
  ])('for %s: without a body, with ETag, Cache-Control and Vary', async (_name, condition) => {
    const { headers } = await get('large');
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('large', { 'if-none-match': condition(headers.etag ?? '') }, method);
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
      expect(answer.headers).toMatchObject({
        etag: headers.etag,
        'cache-control': cacheControl,
        vary: 'accept-encoding',
        'access-control-allow-origin': '*',
        'x-accel-expires': '1',
      });
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]{22}$/);
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
  });

  test('is not sent for another entity tag', async () => {
    expect((await get('large', { 'if-none-match': 'W/"other"' })).status).toBe(200);
  });
});

test('308 carries its Location and is never turned into 304', async () => {
  const answer = await get('moved', { 'if-none-match': '*' });
  expect([answer.status, answer.headers.location]).toEqual([308, 'large']);
  expect(answer.headers['cache-control']).toBe(cacheControl);
});

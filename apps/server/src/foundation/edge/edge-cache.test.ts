import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { PurgeServer } from '../../../test/purge-server.ts';
import { startPurgeServer } from '../../../test/purge-server.ts';
import { cloudflareCache } from './cloudflare.ts';
import { fastlyCache } from './fastly.ts';
import { varnishCache } from './varnish.ts';

let server: PurgeServer;
beforeAll(async () => {
  server = await startPurgeServer();
});
afterAll(() => server.close());
let asked = 0;
beforeEach(() => {
  server.answer = { status: 200, body: '{"success":true}' };
  asked = server.requests.length;
});

const token = 'a-secret-token-0001';
const never = new AbortController().signal;
const tags = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `item-${at}`);

test('Varnish gets the tags in headers of a PURGE, forty at a time, with the token', async () => {
  await varnishCache({ url: server.url, token }).purge(tags(41), never);
  const sent = server.requests.slice(asked);
  expect(sent.map(({ line, headers }) => [line, headers['x-purge-token']])).toEqual([
    ['PURGE /', token],
    ['PURGE /', token],
  ]);
  expect(sent.map(({ headers }) => headers['x-purge-tags']).join(' ')).toBe(tags(41).join(' '));
});

test('Fastly gets up to 256 surrogate keys a request', async () => {
  await fastlyCache({ service: 'SU1Z0isxPaozGVKXdv0eY', token, apiUrl: server.url }).purge(tags(300), never);
  const sent = server.requests.slice(asked);
  expect(sent.map(({ line, headers }) => [line, headers['fastly-key']])).toEqual([
    ['POST /service/SU1Z0isxPaozGVKXdv0eY/purge', token],
    ['POST /service/SU1Z0isxPaozGVKXdv0eY/purge', token],
  ]);
  const keys = sent.map(({ body }) => (JSON.parse(body) as { surrogate_keys: string[] }).surrogate_keys);
  expect(keys.map(({ length }) => length)).toEqual([256, 44]);
  expect(keys.flat()).toEqual(tags(300));
});

test('Cloudflare gets up to 30 tags a request', async () => {
  await cloudflareCache({ zone: '023e105f4ecef8ad', token, apiUrl: server.url }).purge(tags(31), never);
  const sent = server.requests.slice(asked);
  expect(sent.map(({ line, headers }) => [line, headers.authorization])).toEqual([
    ['POST /client/v4/zones/023e105f4ecef8ad/purge_cache', `Bearer ${token}`],
    ['POST /client/v4/zones/023e105f4ecef8ad/purge_cache', `Bearer ${token}`],
  ]);
  const sentTags = sent.map(({ body }) => (JSON.parse(body) as { tags: string[] }).tags);
  expect(sentTags.map(({ length }) => length)).toEqual([30, 1]);
});

test('a refusal, a failure with status 200 and a time-out are errors, and none contains the token', async () => {
  const caches = [
    varnishCache({ url: server.url, token }),
    fastlyCache({ service: 'S', token, apiUrl: server.url }),
    cloudflareCache({ zone: 'Z', token, apiUrl: server.url }),
  ];
  server.answer = { status: 403, body: 'no' };
  for (const cache of caches) await expect(cache.purge(['items'], never)).rejects.toThrow(/answered 403: no/);
  server.answer = { status: 200, body: '{"success":false,"errors":[{"code":1097}]}' };
  await expect(caches[2]?.purge(['items'], never)).rejects.toThrow(/did not purge.*1097/);
  const gone = varnishCache({ url: 'http://127.0.0.1:1', token });
  const error = await gone.purge(['items'], never).catch((thrown: unknown) => String(thrown));
  expect(error).toMatch(/127\.0\.0\.1:1 does not answer/);
  expect(error).not.toContain(token);
});

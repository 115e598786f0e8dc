import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
const storyId = '019a83c0-1111-7222-8333-444455556666';
const minute = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60, stale-if-error=3600';
const fiveMinutes = 'public, max-age=300, s-maxage=300, stale-while-revalidate=300, stale-if-error=3600';

/** Every documented address that answers 200, with its headers for shared caches. */
const endpoints: readonly (readonly [path: string, cacheControl: string])[] = [
  ['/api/v1/items', minute],
  ['/api/v1/items?mode=all&q=model', minute],
  ['/api/v1/hot-topics', minute],
  [`/api/v1/stories/${storyId}`, minute],
  ['/api/v1/dailies', minute],
  ['/api/v1/dailies/latest', minute],
  ['/api/v1/dailies/2026-11-15', fiveMinutes],
  ['/api/v1/weeklies', fiveMinutes],
  ['/api/v1/weeklies/latest', fiveMinutes],
  ['/api/v1/weeklies/2026-W46', fiveMinutes],
  ['/api/v1/monthlies', fiveMinutes],
  ['/api/v1/monthlies/latest', fiveMinutes],
  ['/api/v1/monthlies/2026-10', fiveMinutes],
  ['/api/v1/corrections', minute],
  ['/api/v1/selected/snapshot', fiveMinutes],
  ['/api/v1/selected/changes?cursor=CURSOR', minute],
  ['/api/v1/selected/buckets', fiveMinutes],
  ['/api/v1/agent', fiveMinutes],
  ['/openapi-v1.json', fiveMinutes],
  ['/agent/index.md', fiveMinutes],
  ['/agent/latest.md', minute],
  ['/agent/search.md?q=model', minute],
  ['/agent/hot.md', minute],
  [`/agent/stories/${storyId}.md`, minute],
  ['/agent/daily.md', minute],
  ['/agent/daily/2026-11-15.md', fiveMinutes],
  ['/agent/weekly.md', fiveMinutes],
  ['/agent/weekly/2026-W46.md', fiveMinutes],
  ['/agent/monthly.md', fiveMinutes],
  ['/agent/monthly/2026-10.md', fiveMinutes],
  ['/llms.txt', fiveMinutes],
  ['/feeds/selected.atom', minute],
  ['/feeds/selected.json', minute],
  ['/feeds/selected.rss', minute],
  ['/feeds/items.rss?language=en', minute],
  ['/feeds/daily.atom', minute],
  ['/feeds/weekly.json', fiveMinutes],
  ['/feeds/monthly.atom', fiveMinutes],
  ['/feeds/corrections.atom', minute],
  ['/feeds/categories/paper.atom', minute],
  ['/feeds/search.json?q=model', minute],
  [`/feeds/stories/${storyId}.atom`, minute],
  ['/sitemap.xml', fiveMinutes],
  ['/robots.txt', fiveMinutes],
];

let database: TestDatabase;
let app: NewsApp;
let limited: NewsApp;
let denying: NewsApp;
let cursor: string;

const addressOf = (path: string): string => path.replace('CURSOR', cursor);

beforeAll(async () => {
  database = await createTestDatabase();
  const factory = createRecordFactory({ database: database.database, clock });
  const itemId = await factory.publishSelected();
  valueOf(await factory.publisher.openStory({ id: storyId as never, title: 'Story', itemIds: [itemId] }));
  for (const [kind, period] of [
    ['daily', '2026-11-15'],
    ['weekly', '2026-W46'],
    ['monthly', '2026-10'],
  ] as const) {
    const contents = {
      headline: 'Headline',
      overview: 'Overview',
      headlineCites: [],
      overviewCites: [],
      sections: [{ key: 'all', label: 'All', itemIds: [itemId] }],
      flashes: [],
    };
    valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
  }
  app = await startNewsApp({ database, clock });
  limited = await startNewsApp({
    database,
    clock,
    settings: { DAYBOOK_RATE_PER_MINUTE: '1', DAYBOOK_TRUSTED_PROXIES: '127.0.0.1' },
  });
  denying = await startNewsApp({
    database,
    clock,
    settings: {
      DAYBOOK_DENIED_USER_AGENTS: 'badbot',
      DAYBOOK_DENIED_ADDRESSES: '192.0.2.0/24',
      DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  cursor = (await app.get('/api/v1/selected/snapshot')).json()['cursor'] as string;
});
afterAll(async () => {
  await Promise.all([app.stop(), limited.stop(), denying.stop()]);
  await database.drop();
});

describe.each(endpoints)('%s', (template, cacheControl) => {
  test('200 carries ETag, Cache-Control, Vary, X-Request-Id and the headers for other origins', async () => {
    const answer = await app.get(addressOf(template));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'cache-control': cacheControl,
      vary: 'accept-encoding',
      'x-request-id': expect.stringMatching(/^[\w-]{22}$/),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
    });
  });

  test('shared caches may store it for a second, with tags of less than 1 KB', async () => {
    const { headers } = await app.get(addressOf(template));
    expect(headers['x-accel-expires']).toBe('1');
    const [key = '', tag = ''] = [headers['surrogate-key'], headers['cache-tag']].map(String);
    expect(key.length + tag.length).toBeLessThan(1_024);
    expect(tag.replaceAll(',', ' ')).toBe(key);
    const period = /\/(20[\dW-]+)/.exec(template)?.[1];
    expect(key).toMatch(
      template.includes(storyId)
        ? /^story-/
        : period === undefined
          ? /^[a-z -]+$/
          : /^edition-\w+-20[\dW-]+$/,
    );
  });

  test('304 without a body for If-None-Match: the tag, a list, a strong form, and *', async () => {
    const { headers } = await app.get(addressOf(template));
    const etag = headers.etag as string;
    for (const sent of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
      const answer = await app.get(addressOf(template), { headers: { 'if-none-match': sent } });
      expect([answer.status, answer.text]).toEqual([304, '']);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': cacheControl });
    }
    const other = await app.get(addressOf(template), { headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test('the same bytes and the same tag in every encoding', async () => {
    const plain = await app.get(addressOf(template));
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await app.get(addressOf(template), { headers: { 'accept-encoding': encoding } });
      const body = answer.headers['content-encoding'] === encoding ? decode(answer.body) : answer.body;
      expect(body.toString()).toBe(plain.text);
      expect(answer.headers.etag).toBe(plain.headers.etag);
    }
  });

  test('HEAD works wherever GET does; OPTIONS is 204', async () => {
    const head = await app.get(addressOf(template), { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await app.get(addressOf(template), { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'If-None-Match',
      'access-control-max-age': '86400',
    });
  });

  test('400 invalid_request for an undeclared parameter and for a User-Agent of more than 2048 characters', async () => {
    const path = addressOf(template);
    const strange = `${path}${path.includes('?') ? '&' : '?'}surprise=1`;
    expectProblem(await app.get(strange), 400, 'invalid_request');
    const agent = (length: number) => ({ headers: { 'user-agent': 'x'.repeat(length) } });
    expectProblem(await app.get(path, agent(2049)), 400, 'invalid_request');
    expect((await app.get(path, agent(2048))).status).toBe(200);
  });

  test('403 actor_forbidden only for clients that the operator denies', async () => {
    const path = addressOf(template);
    expectProblem(
      await denying.get(path, { headers: { 'user-agent': 'Mozilla BadBot/1' } }),
      403,
      'actor_forbidden',
    );
    expectProblem(
      await denying.get(path, { headers: { 'x-forwarded-for': '192.0.2.7' } }),
      403,
      'actor_forbidden',
    );
    for (const agent of ['', 'curl/8', 'GPT-agent'])
      expect((await denying.get(path, { headers: { 'user-agent': agent } })).status).toBe(200);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '405 method_not_allowed with Allow for %s',
    async (method) => {
      const answer = await app.get(addressOf(template), { method });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    },
  );

  test('429 rate_limited with Retry-After', async () => {
    const client = {
      headers: { 'x-forwarded-for': `198.51.100.${endpoints.findIndex(([path]) => path === template)}` },
    };
    expect((await limited.get(addressOf(template), client)).status).toBe(200);
    const answer = await limited.get(addressOf(template), client);
    expectProblem(answer, 429, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

test.each(endpoints.filter(([path]) => path.startsWith('/api/')))(
  '%s is JSON with schemaVersion 1',
  async (template) => {
    const answer = await app.get(addressOf(template));
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()['schemaVersion']).toBe(1);
  },
);

test.each(endpoints)('%s is the same before the router and behind it', async (template) => {
  const path = addressOf(template);
  const tag = String((await app.get(path)).headers.etag);
  for (const headers of [
    {},
    { 'accept-encoding': 'br' },
    { 'accept-encoding': 'gzip' },
    { 'if-none-match': tag },
    { 'if-none-match': '"other", *', 'user-agent': 'x'.repeat(2048) },
    { 'accept-encoding': 'identity', 'if-none-match': 'W/"other"' },
  ]) {
    // An announced body, even an empty one, is left to the router.
    const behind = await app.get(path, { headers: { ...headers, 'content-length': '0' } });
    // The first request may have had to compress.
    const [, front] = [await app.get(path, { headers }), await app.get(path, { headers })];
    const comparable = ({ status, headers: all, text }: typeof behind): object => {
      const { 'x-request-id': id, date, ...same } = all;
      expect([typeof id, typeof date]).toEqual(['string', 'string']);
      return { status, text, same };
    };
    expect(comparable(front)).toEqual(comparable(behind));
  }
});

test.each(['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/sources/', '/api/v1/items/a/b?c=d'])(
  '%s, an unknown address, is a problem that any origin may read, also after a preflight',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
      const answer = await app.get(path, { method });
      expectProblem(answer, 404, 'not_found');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
    const preflight = await app.get(path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'If-None-Match',
    ]);
  },
);

test('an unreadable address under /api/v1 is a problem that any origin may read', async () => {
  const answer = await app.get('/api/v1/items/%zz');
  expectProblem(answer, 400, 'invalid_request');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect((await app.get('/elsewhere/%zz')).headers['access-control-allow-origin']).toBeUndefined();
});

test('an unknown address counts against the limit like any other', async () => {
  const statuses = [];
  for (let asked = 0; asked < 5; asked += 1) statuses.push((await limited.get('/api/v1/nothing')).status);
  expect(statuses).toContain(429);
});

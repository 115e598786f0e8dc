import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { StandingClock } from '../test/client-checks.ts';
import type { TestServer } from '../test/ledger-server.ts';
import { item, json, serve } from '../test/ledger-server.ts';
import type { ClientOptions, NewsClient } from './client.ts';
import { createClient } from './client.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

type Answering = (request: IncomingMessage, response: ServerResponse, at: number) => void;

async function clientOf(answering: Answering, options: Partial<ClientOptions> = {}): Promise<NewsClient> {
  let count = 0;
  server = await serve((request, response) => answering(request, response, (count += 1)));
  return createClient({ baseUrl: server.baseUrl, ...options });
}

describe('politeness', () => {
  it('repeats no request before s-maxage has passed, and then sends the entity tag', async () => {
    const clock = new StandingClock();
    const seen: (string | undefined)[] = [];
    const client = await clientOf(
      (request, response) => {
        seen.push(request.headers['if-none-match']);
        const headers = { etag: '"a"', 'cache-control': 'public, s-maxage=60' };
        if (request.headers['if-none-match'] === '"a"') response.writeHead(304, headers).end();
        else json(response, { rankedAt: 'x', more: 'unknown' }, headers);
      },
      { world: clock },
    );
    const first = await client.listHotTopics();
    expect(first).toMatchObject({ ok: true, from: 'network', data: { more: 'unknown' } });
    expect(await client.listHotTopics()).toMatchObject({ ok: true, from: 'kept' });
    clock.time += 60_000;
    expect(await client.listHotTopics()).toMatchObject({ from: 'revalidated', data: { rankedAt: 'x' } });
    expect(await client.listHotTopics()).toMatchObject({ from: 'kept' });
    expect(seen).toEqual([undefined, '"a"']);
  });

  it('does not cache responses that are read once, and requests them again only when they are stale', async () => {
    const clock = new StandingClock();
    const seen: (string | undefined)[] = [];
    const client = await clientOf(
      (request, response) => {
        seen.push(request.headers['if-none-match']);
        json(response, {}, { etag: '"a"', 'cache-control': 'public, s-maxage=60' });
      },
      { world: clock },
    );
    for (let left = 2; left > 0; left -= 1)
      expect(await client.listHotTopics({}, { keep: false })).toMatchObject({ from: 'network' });
    expect([seen, clock.waits]).toEqual([[undefined, undefined], [60_000]]);
  });

  it('bounds its cache and evicts the oldest responses first', async () => {
    const client = await clientOf((_request, response) =>
      json(response, { text: 'x'.repeat(3_000_000) }, { 'cache-control': 's-maxage=60' }),
    );
    for (const date of ['a', 'b', 'c']) await client.getDaily({ date });
    expect(await client.getDaily({ date: 'c' })).toMatchObject({ from: 'kept' });
    expect(await client.getDaily({ date: 'a' })).toMatchObject({ from: 'network' });
  });

  it('waits for Retry-After and a little more, for every address', async () => {
    const clock = new StandingClock();
    const client = await clientOf(
      (_request, response, at) => {
        if (at === 1) json(response, { code: 'rate_limited', detail: '' }, { 'retry-after': '7' }, 429);
        else json(response, {});
      },
      { world: { now: clock.now, wait: clock.wait, random: () => 1 } },
    );
    expect(await client.listHotTopics()).toMatchObject({ ok: true });
    expect(clock.waits[0]).toBe(8400);
    expect(clock.waits).toHaveLength(1);
  });

  it('fails with the reason when the wait would exceed its limit', async () => {
    const clock = new StandingClock();
    const client = await clientOf(
      (_request, response) => json(response, { code: 'shedding', detail: '' }, { 'retry-after': '900' }, 503),
      { world: clock },
    );
    expect(await client.listHotTopics()).toEqual({
      ok: false,
      status: 503,
      problem: { code: 'shedding', detail: '' },
    });
    expect(clock.waits).toEqual([]);
  });

  it('sends one request at a time for an address, and shares its response', async () => {
    let open = 0;
    let most = 0;
    let count = 0;
    const client = await clientOf((_request, response) => {
      open += 1;
      count += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        json(response, {}, { 'cache-control': 's-maxage=60' });
      });
    });
    await Promise.all(Array.from({ length: 20 }, () => client.listHotTopics()));
    expect([most, count]).toEqual([1, 1]);
  });

  it('retries after a broken connection and after a truncated response', async () => {
    const clock = new StandingClock();
    const client = await clientOf(
      (request, response, at) => {
        if (at === 1) request.socket.destroy();
        else if (at === 2) response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":');
        else json(response, { a: 1 });
      },
      { world: clock },
    );
    expect(await client.listHotTopics()).toMatchObject({ ok: true, data: { a: 1 } });
    expect(clock.waits).toHaveLength(2);
  });
});

describe('answers', () => {
  it('a problem is returned with its code, never thrown', async () => {
    const problem = { code: 'withdrawn', detail: 'gone', status: 410, requestId: 'r' };
    const client = await clientOf((_request, response) => json(response, problem, {}, 410));
    expect(await client.getItem({ id: 'x' })).toEqual({ ok: false, status: 410, problem });
  });

  it('the response of an intermediary is a problem too', async () => {
    const client = await clientOf((_request, response) => response.writeHead(404).end('<html>nginx'));
    expect(await client.getItem({ id: 'x' })).toMatchObject({
      ok: false,
      status: 404,
      problem: { code: 'unreadable_answer' },
    });
  });

  it('a moved address is followed and returned', async () => {
    const client = await clientOf((request, response) => {
      if (request.url?.endsWith('/new') === true) json(response, { story: {} });
      else response.writeHead(308, { location: '/api/v1/stories/new' }).end();
    });
    expect(await client.getStory({ publicId: 'old' })).toMatchObject({
      ok: true,
      movedTo: `${server?.baseUrl}/api/v1/stories/new`,
    });
  });

  it('parameters go into the path and the query, escaped', async () => {
    const seen: (string | undefined)[] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.url);
      json(response, {});
    });
    await client.listItems({ q: '模型 & b', limit: 3 });
    await client.getDaily({ date: '../x' });
    expect(seen).toEqual(['/api/v1/items?limit=3&q=%E6%A8%A1%E5%9E%8B+%26+b', '/api/v1/dailies/..%2Fx']);
  });

  it('an aborted call rejects at once, while it waits too', async () => {
    const client = await clientOf((_request, response) =>
      json(response, { code: 'shedding', detail: '' }, { 'retry-after': '60' }, 503),
    );
    const stop = new AbortController();
    const call = client.listHotTopics({}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(call).rejects.toThrow(/abort/i);
  });

  it('pages() reads a list to its end with the same parameters', async () => {
    const seen: string[] = [];
    const client = await clientOf((request, response, at) => {
      seen.push(request.url ?? '');
      json(response, { items: [item(String(at))], page: { nextCursor: at < 3 ? `c${at}` : null } });
    });
    const ids = [];
    for await (const page of client.pages('listItems', { limit: 1 })) {
      if (page.ok) ids.push(...page.data.items.map(({ id }) => id));
    }
    expect([ids, seen.at(-1)]).toEqual([['1', '2', '3'], '/api/v1/items?cursor=c2&limit=1']);
  });
});

describe('timeouts', () => {
  const timeouts = { connectMs: 60, responseMs: 120 };

  it('ends a call to a server that accepts the connection and sends no byte', async () => {
    const client = await clientOf(() => undefined, { timeouts, patience: { retriesMax: 0 } });
    expect(await client.listHotTopics()).toMatchObject({
      ok: false,
      status: 0,
      problem: { code: 'timeout' },
    });
  });

  it('ends a call to a server that sends its response byte by byte', async () => {
    let drip: ReturnType<typeof setInterval> | undefined;
    const client = await clientOf(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        drip = setInterval(() => response.write(' '), 10);
      },
      { timeouts, patience: { retriesMax: 0 } },
    );
    expect(await client.listHotTopics()).toMatchObject({ ok: false, problem: { code: 'timeout' } });
    clearInterval(drip);
  });

  it('waits for a slow response longer than for a connection, and requests it once', async () => {
    let requests = 0;
    const client = await clientOf(
      (_request, response) => {
        requests += 1;
        setTimeout(() => json(response, {}), 200);
      },
      { timeouts: { connectMs: 60, responseMs: 5000 } },
    );
    expect([await client.listHotTopics(), requests]).toMatchObject([{ ok: true }, 1]);
  });

  it('ends a call by its signal while it waits for the same address, and not the call before it', async () => {
    let answer: (() => void) | null = null;
    const client = await clientOf((_request, response) => {
      answer = () => json(response, {});
    });
    const first = client.listHotTopics();
    const controller = new AbortController();
    const second = client.listHotTopics({}, { signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    await expect(second).rejects.toThrow('no longer wanted');
    const asked = await vi.waitUntil(() => answer);
    asked();
    expect(await first).toMatchObject({ ok: true });
  });
});

import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import { ask, startPublisher } from '../../../test/publisher-server.ts';
import type { FetchOutcome } from './fetch-outcome.ts';

const noValidators = { etag: null, lastModified: null };

const textOf = (outcome: FetchOutcome): string | null =>
  outcome.kind === 'document' ? new TextDecoder().decode(outcome.bytes) : null;

describe('a fetched document', () => {
  test('has the headers, validators and times that scheduling needs', async () => {
    const publisher = await startPublisher((request, response) => {
      expect(request.headers['user-agent']).toBe('Daybook/test (+https://daybook.example/bot)');
      response.writeHead(200, {
        'content-type': 'application/rss+xml',
        etag: '"abc"',
        'last-modified': 'Sun, 15 Nov 2026 00:00:00 GMT',
        'cache-control': 'public, max-age=900',
        age: '100',
        link: '<https://hub.example/>; rel="hub", </feed>; rel=self; type="a, b"',
      });
      response.end('hello');
    });
    const outcome = await ask(publisher, 'http://site.example/feed');
    expect(outcome).toMatchObject({
      kind: 'document',
      status: 200,
      url: 'http://site.example/feed',
      permanentUrl: null,
      contentType: 'application/rss+xml',
      validators: { etag: '"abc"', lastModified: 'Sun, 15 Nov 2026 00:00:00 GMT' },
      freshForMs: 800_000,
      retryAfterMs: null,
      webSub: { hubs: ['https://hub.example/'], self: 'http://site.example/feed' },
      hops: ['http://site.example/feed'],
    });
    expect(textOf(outcome)).toBe('hello');
  });

  test.each([
    ['gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['deflate', deflateRawSync('hello')],
    ['gzip, gzip', gzipSync(gzipSync('hello'))],
    ['gzip', Buffer.from('hello')],
    [undefined, gzipSync('hello')],
  ])('is decompressed from %s', async (encoding, body) => {
    const publisher = await startPublisher((_, response) => {
      response.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
    });
    expect(textOf(await ask(publisher, 'http://site.example/'))).toBe('hello');
  });

  test('is refused if it is a gzip bomb, without buffering it', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)));
    for (const encoding of ['gzip, gzip', 'gzip']) {
      const publisher = await startPublisher((_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
      });
      expect(await ask(publisher, 'http://site.example/')).toMatchObject({
        kind: 'failed',
        reason: 'too large',
      });
    }
  });

  test('is refused at the size bound if it never ends', async () => {
    const publisher = await startPublisher((_, response) => {
      const write = (): void => {
        while (response.writable && response.write(Buffer.alloc(16_384)));
        response.once('drain', write);
      };
      write();
    });
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'failed',
      reason: 'too large',
    });
  });
});

describe('304', () => {
  test('is a failure in answer to a request without validators', async () => {
    const publisher = await startPublisher((_, response) => response.writeHead(304).end());
    for (const validators of [null, noValidators])
      expect(await ask(publisher, 'http://site.example/', { validators })).toMatchObject({
        kind: 'failed',
        reason: 'not modified without validators',
      });
  });

  test('returns the validators that were sent if it does not repeat them', async () => {
    const publisher = await startPublisher((request, response) => {
      expect(request.headers).toMatchObject({ 'if-none-match': 'W/"1"', 'if-modified-since': 'yesterday' });
      response.writeHead(304, { 'cache-control': 'max-age=60' }).end();
    });
    const validators = { etag: 'W/"1"', lastModified: 'yesterday' };
    expect(await ask(publisher, 'http://site.example/', { validators })).toMatchObject({
      kind: 'not modified',
      validators,
      freshForMs: 60_000,
    });
  });
});

describe('a refusal', () => {
  test('reports the status 410', async () => {
    const publisher = await startPublisher((_, response) => response.writeHead(410).end('gone'));
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'refused',
      status: 410,
      isRateLimited: false,
    });
  });

  test('measures a Retry-After date against the server’s own clock', async () => {
    const clock = createTestClock('2026-11-15T00:00:00.000Z');
    const headers = { 'retry-after': 'Sun, 15 Nov 2026 12:05:00 GMT', date: 'Sun, 15 Nov 2026 12:00:00 GMT' };
    const publisher = await startPublisher((_, response) => response.writeHead(503, headers).end(), {
      clock,
    });
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'refused',
      status: 503,
      retryAfterMs: 300_000,
      isRateLimited: true,
    });
  });

  test('reads Retry-After in seconds, up to a bound', async () => {
    const publisher = await startPublisher((request, response) =>
      response.writeHead(429, { 'retry-after': request.url === '/a' ? '120' : '99999999' }).end(),
    );
    expect(await ask(publisher, 'http://site.example/a')).toMatchObject({
      retryAfterMs: 120_000,
      isRateLimited: true,
    });
    expect(await ask(publisher, 'http://site.example/b')).toMatchObject({ retryAfterMs: 30 * 86_400_000 });
  });

  test('treats a 403 that names a limit as a rate limit', async () => {
    const publisher = await startPublisher((_, response) =>
      response.writeHead(403, { 'x-ratelimit-remaining': '0' }).end(),
    );
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({ status: 403, isRateLimited: true });
  });
});

describe('one deadline', () => {
  test('covers the wait for a name server that does not answer', async () => {
    const { promise } = Promise.withResolvers<readonly string[]>();
    const publisher = await startPublisher((_, response) => response.end(), { resolve: async () => promise });
    expect(await ask(publisher, 'http://site.test/', { deadlineMs: 100 })).toMatchObject({
      reason: 'deadline',
    });
  });

  test('covers a server that sends nothing and a server that sends single bytes', async () => {
    const publisher = await startPublisher((request, response) => {
      if (request.url === '/drip') setInterval(() => response.write('x'), 20).unref();
    });
    for (const path of ['/silent', '/drip'])
      expect(await ask(publisher, `http://site.example${path}`, { deadlineMs: 200 })).toMatchObject({
        kind: 'failed',
        reason: 'deadline',
      });
  });

  test('covers all redirects together', async () => {
    let count = 0;
    const publisher = await startPublisher((_, response) => {
      setTimeout(() => response.writeHead(302, { location: `/${(count += 1)}` }).end(), 100);
    });
    const outcome = await ask(publisher, 'http://site.example/', { deadlineMs: 250 });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'deadline' });
    expect(outcome.hops.length).toBeLessThan(4);
  });

  test('does not count waiting for a turn', async () => {
    const publisher = await startPublisher((_, response) => response.end('ok'));
    const beforeRequest = async (): Promise<'go'> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 150);
      await promise;
      return 'go';
    };
    expect(await ask(publisher, 'http://site.example/', { deadlineMs: 140, beforeRequest })).toMatchObject({
      kind: 'document',
    });
  });

  test('ends early when the signal is aborted', async () => {
    const publisher = await startPublisher(() => undefined);
    const signal = AbortSignal.timeout(50);
    expect(await ask(publisher, 'http://site.example/', { signal })).toMatchObject({ reason: 'cancelled' });
  });
});

describe('connections', () => {
  test('are limited to one, with one request at a time, per registrable domain', async () => {
    let underWay = 0;
    let most = 0;
    const publisher = await startPublisher((_, response) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        response.end();
      }, 20);
    });
    const hosts = ['site.example', 'www.site.example', 'blog.site.example', 'site.example'];
    await Promise.all(hosts.map(async (host) => ask(publisher, `http://${host}/`)));
    expect(most).toBe(1);
    expect(publisher.connections.most).toBe(1);
  });

  test('to different domains are open at the same time', async () => {
    const waiting: (() => void)[] = [];
    const publisher = await startPublisher((_, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    const outcomes = await Promise.all(
      ['one.example', 'two.example'].map(async (host) => ask(publisher, `http://${host}/`)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['document', 'document']);
  });

  test('are reopened after a failure: only one request fails', async () => {
    let count = 0;
    const publisher = await startPublisher((request, response) => {
      if ((count += 1) === 1) request.socket.destroy();
      else response.end('ok');
    });
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'failed',
      reason: 'no connection',
    });
    expect(textOf(await ask(publisher, 'http://site.example/'))).toBe('ok');
  });
});

test('beforeRequest can end the fetch before every hop', async () => {
  const publisher = await startPublisher((_, response) =>
    response.writeHead(302, { location: 'http://other.example/a' }).end(),
  );
  const beforeRequest = async (url: URL): Promise<'go' | 'defer'> =>
    Promise.resolve(url.hostname === 'site.example' ? 'go' : 'defer');
  expect(await ask(publisher, 'http://site.example/', { beforeRequest })).toMatchObject({
    kind: 'deferred',
    nextUrl: 'http://other.example/a',
  });
  expect(publisher.requests).toEqual(['site.example /']);
});

test('distinguishes a server that does not speak HTTP from a closed port', async () => {
  const publisher = await startPublisher((request) => request.socket.end('SSH-2.0-OpenSSH\r\n\r\n'));
  expect(await ask(publisher, 'http://site.example/')).toMatchObject({ kind: 'failed', reason: 'protocol' });
  expect(await ask(publisher, 'not an address')).toMatchObject({
    kind: 'failed',
    reason: 'unusable address',
  });
});

test('release closes the connection of a domain', async () => {
  const publisher = await startPublisher((_, response) => response.end());
  await ask(publisher, 'http://www.site.example/');
  expect(publisher.connections.open).toBe(1);
  await publisher.fetcher.release('site.example');
  expect(publisher.connections.open).toBe(0);
  await ask(publisher, 'http://site.example/');
  expect(publisher.connections).toEqual({ open: 1, most: 1, all: 2 });
});

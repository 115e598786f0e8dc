import { describe, expect, test } from 'vitest';

import type { PublisherServer } from '../../../test/publisher-server.ts';
import { ask, startPublisher } from '../../../test/publisher-server.ts';

describe('redirects', () => {
  /** `/301/308/302` redirects with these in turn. */
  const chain = async (): Promise<PublisherServer> =>
    startPublisher((request, response) => {
      const [, status, ...rest] = (request.url ?? '').split('/');
      if (status === undefined || status === '' || status === 'end') response.end('end');
      else response.writeHead(Number(status), { location: `/${rest.join('/')}` }).end('x'.repeat(1_000));
    });

  test('are followed; only an unbroken chain of permanent redirects gives a new address', async () => {
    const publisher = await chain();
    expect(await ask(publisher, 'http://site.example/301/308/end')).toMatchObject({
      url: 'http://site.example/end',
      permanentUrl: 'http://site.example/end',
    });
    expect(await ask(publisher, 'http://site.example/301/302/308/end')).toMatchObject({
      url: 'http://site.example/end',
      permanentUrl: 'http://site.example/302/308/end',
    });
    expect(await ask(publisher, 'http://site.example/307/301/end')).toMatchObject({ permanentUrl: null });
    expect(publisher.connections.all).toBe(1);
  });

  test('in a loop end the fetch at once', async () => {
    const publisher = await startPublisher((request, response) =>
      response.writeHead(302, { location: request.url === '/a' ? '/b#x' : '/a' }).end(),
    );
    expect(await ask(publisher, 'http://site.example/a')).toMatchObject({
      kind: 'failed',
      reason: 'redirect loop',
    });
    expect(publisher.requests).toHaveLength(2);
  });

  test('are followed at most ten times', async () => {
    let count = 0;
    const publisher = await startPublisher((_, response) =>
      response.writeHead(302, { location: `/${(count += 1)}` }).end(),
    );
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'failed',
      reason: 'too many redirects',
    });
    expect(count).toBe(10);
  });

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://0x7f.1/',
  ])('to a private address are not followed: %s', async (location) => {
    const publisher = await startPublisher((_, response) => response.writeHead(301, { location }).end());
    const { port } = publisher;
    expect(await ask(publisher, 'http://site.example/')).toMatchObject({
      kind: 'failed',
      reason: 'forbidden address',
    });
    expect(await ask(publisher, `http://127.0.0.1:${port}/`)).toMatchObject({ reason: 'forbidden address' });
    expect(publisher.requests).toHaveLength(1);
  });

  test.each(['file:///etc/passwd', 'gopher://site.example/', 'http://site.example:22/', 'http://', ''])(
    'to an address that is not http or https are not followed: %s',
    async (location) => {
      const publisher = await startPublisher((_, response) =>
        response.writeHead(302, location === '' ? {} : { location }).end(),
      );
      expect(await ask(publisher, 'http://site.example/')).toMatchObject({
        kind: 'failed',
        reason: 'unusable redirect',
      });
    },
  );

  test('do not send the Authorization header to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const publisher = await startPublisher((request, response) => {
      seen.push(request.headers.authorization);
      if (request.headers.host === 'site.example')
        response.writeHead(302, { location: 'http://other.example/' }).end();
      else response.end();
    });
    await ask(publisher, 'http://site.example/', { authorization: 'Bearer secret' });
    expect(seen).toEqual(['Bearer secret', undefined]);
  });
});

describe('host names', () => {
  test('that resolve to a private address are refused', async () => {
    const publisher = await startPublisher((_, response) => response.end(), {
      resolve: async () => Promise.resolve(['10.0.0.1', '::1']),
    });
    expect(await ask(publisher, 'http://site.test/')).toMatchObject({
      kind: 'failed',
      reason: 'forbidden address',
    });
  });

  test('are resolved once, so an answer that changes later has no effect', async () => {
    let lookUps = 0;
    const publisher = await startPublisher((_, response) => response.end('reached'), {
      resolve: async () => Promise.resolve([(lookUps += 1) === 1 ? '192.0.2.1' : '127.0.0.1']),
      // Treats the documentation network as public; no server answers there.
      isAllowedAddress: (address) => address === '192.0.2.1',
    });
    const outcome = await ask(publisher, `http://rebinding.test:${publisher.port}/`, { deadlineMs: 300 });
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(await ask(publisher, `http://rebinding.test:${publisher.port}/`)).toMatchObject({
      reason: 'forbidden address',
    });
    expect(publisher.requests).toEqual([]);
    expect(lookUps).toBe(2);
  });

  test('that do not exist are reported', async () => {
    const publisher = await startPublisher((_, response) => response.end(), {
      resolve: async () => Promise.resolve([]),
    });
    expect(await ask(publisher, 'http://site.test/')).toMatchObject({
      kind: 'failed',
      reason: 'unknown host',
    });
  });
});

describe('a form', () => {
  const form = { 'hub.mode': 'subscribe', 'hub.topic': 'https://site.example/feed?a=1&b=2' };
  const startForms = async (redirect: (path: string) => readonly [number, string] | null) => {
    const received: string[] = [];
    const publisher = await startPublisher((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
        received.push(`${request.method} ${request.headers['content-type']} ${JSON.stringify(body)}`);
        const [status, location] = redirect(request.url ?? '') ?? [202, null];
        response.writeHead(status, location === null ? {} : { location }).end();
      });
    });
    return { ...publisher, received };
  };
  const posted = `POST application/x-www-form-urlencoded ${JSON.stringify(form)}`;

  test.each([307, 308])('is repeated unchanged after a %s', async (status) => {
    const publisher = await startForms((path) => (path === '/' ? [status, '/moved'] : null));
    expect(await ask(publisher, 'https://hub.example/', { form })).toMatchObject({ status: 202 });
    expect(publisher.received).toEqual([posted, posted]);
  });

  test.each([301, 302, 303])('is not repeated, and not replaced by a GET, after a %s', async (status) => {
    const publisher = await startForms((path) => (path === '/' ? [status, '/moved'] : null));
    expect(await ask(publisher, 'https://hub.example/', { form })).toMatchObject({ kind: 'refused', status });
    expect(publisher.received).toEqual([posted]);
  });

  test('is not repeated over plain http or to a private address', async () => {
    for (const [location, reason] of [
      ['http://hub.example/plain', 'unusable redirect'],
      ['https://10.0.0.8/', 'forbidden address'],
    ] as const) {
      const publisher = await startForms((path) => (path === '/' ? [307, location] : null));
      expect(await ask(publisher, 'https://hub.example/', { form })).toMatchObject({
        kind: 'failed',
        reason,
      });
      expect(publisher.received).toEqual([posted]);
    }
  });
});

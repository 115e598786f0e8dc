import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { defineRoute } from './route.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function start(settings: Readonly<Record<string, string>>, burst = 1): Promise<TestApp> {
  return startTestApp({
    database,
    settings,
    burst,
    routes: ({ anonymous }) => [
      defineRoute({
        method: 'GET',
        path: '/hello',
        surface: anonymous,
        operationId: 'hello',
        tag: 'sample',
        summary: 'Says hello to the address it sees.',
        responses: { 200: { description: 'Hello.', schema: Type.Object({ address: Type.String() }) } },
        problems: [],
        handle: ({ request, reply }) => reply.send({ address: request.client?.address }),
      }),
    ],
  });
}

function hello(app: TestApp, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(app.port, '/hello', { headers });
}

describe('429', () => {
  test('is returned with Retry-After once the burst is spent, and probes are not counted', async () => {
    const app = await start({ DAYBOOK_RATE_PER_MINUTE: '1' }, 3);
    onTestFinished(app.stop);
    const answers = await Promise.all(Array.from({ length: 10 }, () => hello(app)));
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(3);
    // Not per client: a shared cache would send one client's count to another.
    for (const { headers } of admitted) expect(headers['ratelimit']).toBeUndefined();
    const answer = await hello(app);
    expectProblem(answer, 429, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(50);
    expect(answer.headers['ratelimit-policy']).toBe('"address";q=1;w=60');
    expect(answer.headers['ratelimit']).toBe(`"address";r=0;t=${answer.headers['retry-after']}`);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect((await ask(app.port, '/livez')).status).toBe(200);
  });

  test('counts a forged X-Forwarded-For by the socket, and warns once', async () => {
    const app = await start({ DAYBOOK_RATE_PER_MINUTE: '1' }, 2);
    onTestFinished(app.stop);
    for (const [index, status] of [200, 200, 429, 429].entries())
      expect((await hello(app, { 'x-forwarded-for': `198.51.100.${index}` })).status).toBe(status);
    const warnings = app.log.filter(({ level }) => level === 'warn');
    expect(warnings).toEqual([
      expect.objectContaining({
        socketAddress: '127.0.0.1',
        msg: expect.stringContaining('DAYBOOK_TRUSTED_PROXIES'),
      }),
    ]);
  });

  test('counts clients of a trusted proxy apart, and IPv6 by /64', async () => {
    const app = await start({
      DAYBOOK_RATE_PER_MINUTE: '1',
      DAYBOOK_TRUSTED_PROXIES: '127.0.0.0/8',
    });
    onTestFinished(app.stop);
    const from = async (forwardedFor: string): Promise<number> =>
      (await hello(app, { 'x-forwarded-for': forwardedFor })).status;
    expect(await from('198.51.100.1')).toBe(200);
    expect(await from('198.51.100.2')).toBe(200);
    expect(await from('198.51.100.3, 198.51.100.1')).toBe(429);
    expect(await from('2001:db8:0:1::1')).toBe(200);
    expect(await from('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(200);
    expect(app.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('uses the address from a trusted proxy, walked from the right', async () => {
    const app = await start({ DAYBOOK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' });
    onTestFinished(app.stop);
    const answer = await hello(app, { 'x-forwarded-for': '1.1.1.1, 198.51.100.7, 10.2.3.4' });
    expect(answer.json()).toEqual({ address: '198.51.100.7' });
  });
});

describe('403', () => {
  test('is returned only to clients that the operator denies', async () => {
    const app = await start({
      DAYBOOK_DENIED_USER_AGENTS: 'BadBot, scraper/1',
      DAYBOOK_DENIED_ADDRESSES: '203.0.113.0/24, 2001:db8::/32',
      DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    });
    onTestFinished(app.stop);
    expectProblem(await hello(app, { 'user-agent': 'Mozilla (badbot 2)' }), 403, 'actor_forbidden');
    expectProblem(await hello(app, { 'x-forwarded-for': '203.0.113.77' }), 403, 'actor_forbidden');
    expectProblem(await hello(app, { 'x-forwarded-for': '2001:db8::1' }), 403, 'actor_forbidden');
    for (const headers of [
      {},
      { 'user-agent': 'curl/8' },
      { 'user-agent': 'x'.repeat(2_048) },
      { 'x-forwarded-for': '203.0.114.1' },
    ])
      expect((await hello(app, headers)).status).toBe(200);
  });
});

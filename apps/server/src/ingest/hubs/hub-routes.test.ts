import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import type { TestApp } from '../../../test/app.ts';
import { startTestApp } from '../../../test/app.ts';
import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { Answer } from '../../../test/http-client.ts';
import { ask, expectProblem } from '../../../test/http-client.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { createSecretBox } from '../../foundation/secret-box.ts';
import { createSourceDesk } from '../source-desk.ts';
import { hubRoutes } from './hub-routes.ts';
import { createHubSweep } from './hub-sweep.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const secretBox = createSecretBox(['cd'.repeat(32)]);
const topic = 'http://site.example/feed';
const feed = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Site</title>
  <atom:link rel="hub" href="http://hub.example/"/><atom:link rel="self" href="${topic}"/>
  <item><guid>1</guid><title>One</title></item></channel></rss>`;

let store: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  store = await createTestDatabase();
  const deps = { database: store.database, clock, secretBox, pushedPollSpacingMs: 60_000 };
  app = await startTestApp({ database: store, clock, routes: () => hubRoutes(deps) });
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
  clock.set('2026-11-15T08:00:00.000Z');
});
afterAll(async () => {
  await app.stop();
  await store.drop();
});

/** A source with a requested subscription that the hub has not confirmed. */
async function openSubscription() {
  const forms: URLSearchParams[] = [];
  const answer = { status: 200, headers: {}, body: feed, whileAsked: async (): Promise<void> => {} };
  const publisher = await startPublisher((request, response) => {
    if (request.headers.host !== 'hub.example') {
      void answer.whileAsked().then(() => response.writeHead(answer.status, answer.headers).end(answer.body));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      forms.push(new URLSearchParams(Buffer.concat(chunks).toString()));
      response.writeHead(202).end();
    });
  });
  const newsroom = createTestNewsroom(store, clock, publisher.fetcher);
  const { poller, ids, polls } = newsroom.deskDeps;
  const source = await newsroom.add(topic);
  await newsroom.poll(source);
  const failures: unknown[] = [];
  onTestFinished(() => expect(failures).toEqual([]));
  const sweep = createHubSweep({
    ...polls,
    ids,
    secretBox,
    logger: { error: (fault: unknown) => void failures.push(fault) } as never,
    spacingMs: 0,
    callbackBase: 'https://daybook.example',
  });
  const askHubs = (): Promise<void> => sweep.run({ epoch: 1, enqueue: async () => {}, ...poller });
  await askHubs();
  const [form = new URLSearchParams()] = forms;
  return {
    ...newsroom,
    answer,
    askHubs,
    desk: createSourceDesk(newsroom.deskDeps),
    forms,
    path: new URL(form.get('hub.callback') ?? '').pathname,
    secret: form.get('hub.secret') ?? '',
    source,
    waitMs: async () => instantToMs((await newsroom.stored(source.id)).health.dueAt) - clock.nowMs(),
  };
}

type Opened = Awaited<ReturnType<typeof openSubscription>>;

const question = {
  'hub.mode': 'subscribe',
  'hub.topic': topic,
  'hub.challenge': 'a <b>challenge</b>',
  'hub.lease_seconds': '864000',
};
const verify = (path: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  ask(app.port, `${path}?${new URLSearchParams({ ...question, ...more }).toString()}`);
const push = ({ path, secret }: Opened, body = feed): Promise<Answer> =>
  ask(app.port, path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/rss+xml',
      'x-hub-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  });
const stateOf = async ({ desk, stored, source }: Opened): Promise<string | null> =>
  desk.pushes(await stored(source.id));

test('the table reveals neither the secret nor the callback address', async () => {
  const { path, secret } = await openSubscription();
  const [row] = await store.asSuperuser('SELECT s::text AS text FROM newsroom.hub_subscription s');
  const text = String(row?.['text']);
  for (const secretText of [secret, path.split('/').at(-1) ?? '']) {
    expect(secretText).toMatch(/^[0-9a-f]{64}$/u);
    expect(text).not.toContain(secretText);
    expect(text).not.toContain(Buffer.from(secretText).toString('hex'));
  }
});

test('the application login cannot change the hub, the topic or the source of a subscription', async () => {
  for (const column of ['hub_url', 'topic', 'source_id'])
    await expect(
      store.pool.query(`UPDATE newsroom.hub_subscription SET ${column} = ${column}`),
    ).rejects.toThrow(/permission denied/u);
});

describe('200', () => {
  test('confirms a requested subscription with the challenge as plain text, each time the hub asks', async () => {
    const opened = await openSubscription();
    for (let times = 0; times < 2; times += 1) {
      const answer = await verify(opened.path, { 'hub.verify_token': 'unknown here' });
      expect([answer.status, answer.text]).toEqual([200, question['hub.challenge']]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(await stateOf(opened)).toBe('subscribed, nothing pushed yet');
  });

  test('stores a denial and sends the hub no request for a week', async () => {
    const opened = await openSubscription();
    const denial = { 'hub.mode': 'denied', 'hub.reason': 'not\nyours' };
    expect((await verify(opened.path, denial)).status).toBe(200);
    expect(await stateOf(opened)).toBe('denied by the hub: not yours');
    clock.advance({ days: 6 });
    await opened.askHubs();
    expect(opened.forms).toHaveLength(1);
    clock.advance({ days: 2 });
    await opened.askHubs();
    expect(opened.forms).toHaveLength(2);
  });

  test('confirms the end of a subscription', async () => {
    const opened = await openSubscription();
    await verify(opened.path);
    await opened.desk.changeState(opened.source.id, 'removed', null);
    await opened.askHubs();
    expect(opened.forms[1]?.get('hub.mode')).toBe('unsubscribe');
    expect((await verify(opened.path, { 'hub.mode': 'unsubscribe' })).status).toBe(200);
    clock.advance({ hours: 2 });
    await opened.askHubs();
    expect(await store.asSuperuser('SELECT FROM newsroom.hub_subscription')).toEqual([]);
  });
});

describe('202', () => {
  test('pushes cause at most one poll of a source per minute', async () => {
    const opened = await openSubscription();
    expect(await opened.waitMs()).toBe(600_000);
    clock.advance({ seconds: 10 });
    expect((await push(opened)).status).toBe(202);
    expect(await opened.waitMs()).toBe(50_000);
    clock.advance({ minutes: 2 });
    expect((await push(opened)).status).toBe(202);
    expect(await opened.waitMs()).toBeLessThanOrEqual(0);
  });

  test('ignores the content of a push: entries come only from the publisher', async () => {
    const opened = await openSubscription();
    clock.advance({ minutes: 2 });
    await push(opened, feed.replaceAll('One', 'Planted').replace('>1<', '>2<'));
    expect(await opened.entries()).toMatchObject([{ title: 'One' }]);
    expect(await opened.poll(opened.source)).toMatchObject({ landed: 0, revised: 0 });
  });

  test('a push causes no poll before Retry-After has passed', async () => {
    const opened = await openSubscription();
    const other = await opened.add('http://site.example/other');
    Object.assign(opened.answer, { status: 429, headers: { 'retry-after': '7200' } });
    await opened.poll(other);
    clock.advance({ minutes: 2 });
    await push(opened);
    expect(await opened.waitMs()).toBeGreaterThan(7_000_000);
  });

  test('a push during a poll causes another poll', async () => {
    const opened = await openSubscription();
    clock.advance({ minutes: 2 });
    opened.answer.whileAsked = async () => {
      clock.advance({ seconds: 1 });
      await push(opened);
    };
    await opened.poll(opened.source);
    expect(await opened.waitMs()).toBeLessThanOrEqual(60_000);
  });

  test('ignores a push with the signature of another subscription', async () => {
    const opened = await openSubscription();
    clock.advance({ minutes: 2 });
    expect((await push({ ...opened, secret: '0'.repeat(64) })).status).toBe(202);
    expect(await opened.waitMs()).toBe(480_000);
  });
});

describe('400', () => {
  test('refuses a malformed callback address, an unknown mode, a long challenge and a negative lease', async () => {
    const { path } = await openSubscription();
    for (const [address, more] of [
      ['/websub/1', {}],
      [path, { 'hub.mode': 'publish' }],
      [path, { 'hub.challenge': 'x'.repeat(1_001) }],
      [path, { 'hub.lease_seconds': '-1' }],
    ] as const)
      expectProblem(await verify(address, more), 400, 'invalid_request');
  });
});

describe('404', () => {
  test.each([
    ['another topic', { 'hub.topic': 'http://site.example/other' }, {}],
    ['the end of a wanted subscription', { 'hub.mode': 'unsubscribe' }, {}],
    ['a request from hours ago', {}, { hours: 2 }],
  ])('does not confirm %s', async (_, more, later) => {
    const opened = await openSubscription();
    clock.advance({ seconds: 1, ...later });
    expectProblem(await verify(opened.path, more), 404, 'not_found');
    expect(await stateOf(opened)).toBe('not subscribed yet');
  });

  test('refuses an unknown callback address', async () => {
    await openSubscription();
    const path = `/websub/${'0'.repeat(64)}`;
    expectProblem(await verify(path), 404, 'not_found');
    expectProblem(await ask(app.port, path, { method: 'POST', body: 'x' }), 404, 'not_found');
  });
});

test('405: callbacks accept only GET and POST', async () => {
  const { path } = await openSubscription();
  expectProblem(await ask(app.port, path, { method: 'PUT' }), 405, 'method_not_allowed');
});

test('413: refuses a push larger than the size limit of a feed', async () => {
  const opened = await openSubscription();
  const headers = { 'content-length': String(9 * 1024 * 1024), 'content-type': 'text/xml' };
  expectProblem(await ask(app.port, opened.path, { method: 'POST', headers }), 413, 'payload_too_large');
});

test('subscribes at the new hub of a feed and ends the subscription at the old one', async () => {
  const opened = await openSubscription();
  await verify(opened.path);
  opened.answer.body = feed.replace('http://hub.example/', 'http://hub.example/new');
  clock.advance({ minutes: 20 });
  await opened.poll(opened.source);
  await opened.askHubs();
  expect(opened.forms.slice(1).map((form) => form.get('hub.mode'))).toEqual(
    expect.arrayContaining(['subscribe', 'unsubscribe']),
  );
  expect(opened.forms).toHaveLength(3);
});

test('sends no request to a hub for a source that was paused while a poll found the hub', async () => {
  const opened = await openSubscription();
  await store.asSuperuser(`UPDATE newsroom.source SET state = 'paused'`);
  clock.advance({ days: 1 });
  await opened.askHubs();
  expect(opened.forms).toHaveLength(1);
});

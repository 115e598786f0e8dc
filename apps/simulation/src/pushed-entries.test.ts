import { randomUUID } from 'node:crypto';

import type { HubSubscriber, Publishers, World } from '@daybook/newswire';
import { createWorld, startPublishers } from '@daybook/newswire';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { hourMs } from '../../server/src/foundation/clock.ts';
import { instantFromMs, instantToMs, isoMilliseconds } from '../../server/src/foundation/instant.ts';
import { createSecretBox } from '../../server/src/foundation/secret-box.ts';
import { hubRoutes } from '../../server/src/ingest/hubs/hub-routes.ts';
import { createHubSweep } from '../../server/src/ingest/hubs/hub-sweep.ts';
import type { Source } from '../../server/src/ingest/index.ts';
import { createFetcher, createSourceDesk } from '../../server/src/ingest/index.ts';
import { claimDueDomains } from '../../server/src/ingest/leases/domain-lease-store.ts';
import type { TestApp } from '../../server/test/app.ts';
import { startTestApp } from '../../server/test/app.ts';
import { createTestClock } from '../../server/test/clock.ts';
import type { TestDatabase } from '../../server/test/database.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import { createTestNewsroom } from '../../server/test/newsroom.ts';

const start = '2026-11-15T08:00:00.000Z';
const clock = createTestClock(start);
const secretBox = createSecretBox(['ab'.repeat(32)]);
const pace = { intervalMinMs: hourMs, intervalMaxMs: 6 * hourMs, spacingMs: 0 };

let store: TestDatabase;
let api: TestApp;
let world: World;
beforeAll(async () => {
  store = await createTestDatabase();
  const deps = { database: store.database, clock, secretBox, pushedPollSpacingMs: 60_000 };
  api = await startTestApp({ database: store, clock, routes: () => hubRoutes(deps) });
  world = createWorld({ seed: 9, startsAt: clock.nowMs() - 12 * hourMs, outlets: 12, itemsPerDay: 4_000 });
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
  clock.set(start);
});
afterAll(async () => {
  await api.stop();
  await store.drop();
});

/** Publishers that name a hub, and a newsroom that has polled one of them. */
async function openWire() {
  const publishers = await startPublishers({
    world,
    nowMs: clock.nowMs,
    spacingMs: 0,
    cacheHints: false,
    namesHub: true,
  });
  const fetcher = createFetcher({ userAgent: 'Daybook/test', clock, examplePort: publishers.port });
  onTestFinished(async () => {
    await fetcher.close();
    await publishers.close();
  });
  const newsroom = createTestNewsroom(store, clock, fetcher, { pace });
  const { poller, ids, polls } = newsroom.deskDeps;
  const logger = { error: (fault: unknown) => expect.unreachable(String(fault)) } as never;
  const sweep = createHubSweep({
    ...polls,
    ids,
    logger,
    secretBox,
    spacingMs: 0,
    callbackBase: `http://127.0.0.1:${api.port}`,
  });
  const outlet = world.sources().find(({ tier }) => tier === 2);
  if (outlet === undefined) throw new Error('the world has no established press');
  const source = await newsroom.add(outlet.feedUrl);
  await newsroom.poll(source);
  const desk = createSourceDesk(newsroom.deskDeps);
  return {
    ...newsroom,
    publishers,
    source,
    desk,
    outletKey: outlet.key,
    /** Like a worker's sweep, until the hub has verified all requests. */
    askHubs: async (): Promise<void> => {
      await sweep.run({ epoch: 1, enqueue: async () => {}, ...poller });
      await publishers.hub.settled();
    },
    pushes: async (): Promise<string | null> => desk.pushes(await newsroom.stored(source.id)),
  };
}

type Wire = Awaited<ReturnType<typeof openWire>>;

/** Sets the clock to just after the feed's next entry, and before the source is due. */
async function untilNextEntry({ stored, source, outletKey }: Wire): Promise<void> {
  const fromMs = clock.nowMs();
  const dueMs = instantToMs((await stored(source.id)).health.dueAt);
  const appear = [...world.standing({ fromMs, toMs: dueMs })]
    .filter(
      ({ outlet, fromMs: at }) => outlet.key === outletKey && at > fromMs + 120_000 && at < dueMs - 1_000,
    )
    .map(({ fromMs: at }) => at);
  if (appear.length === 0) throw new Error('the world has no entry before the next poll');
  clock.set(isoMilliseconds(instantFromMs(Math.min(...appear) + 1_000)));
}

const dueDomains = async (): Promise<readonly string[]> => {
  const request = { holder: randomUUID(), now: clock.now(), leaseMs: 1, domainsMax: 10 };
  return (await claimDueDomains(store.database, request)).map(({ domain }) => domain);
};

const waitMs = async ({ stored, source }: Wire): Promise<number> =>
  instantToMs((await stored(source.id)).health.dueAt) - clock.nowMs();

const feedOf = ({ source }: Wire): string => source.feedUrl;
function subscriber({ publishers }: { readonly publishers: Publishers }): HubSubscriber {
  const [first] = publishers.hub.subscribers;
  if (first === undefined) throw new Error('nobody has subscribed');
  return first;
}

test('a source whose feed names a hub is subscribed to, and a pushed entry is stored before the next poll', async () => {
  const wire = await openWire();
  expect(await wire.pushes()).toBe('not subscribed yet');
  await wire.askHubs();
  expect(subscriber(wire)).toMatchObject({ topic: feedOf(wire), leaseSeconds: 864_000 });
  expect(await wire.pushes()).toBe('subscribed, nothing pushed yet');
  await untilNextEntry(wire);
  expect(await dueDomains()).toEqual([]);
  expect(await wire.publishers.hub.publish(feedOf(wire))).toEqual([202]);
  expect(await dueDomains()).toEqual([wire.source.domain]);
  const polled = await wire.stored(wire.source.id);
  await store.asSuperuser('UPDATE newsroom.domain SET lease_holder = NULL, leased_until = NULL');
  expect((await wire.poll(polled)).landed).toBeGreaterThan(0);
});

test('polls are four times rarer while pushes announce every entry, and normal after an unannounced one', async () => {
  const wire = await openWire();
  expect(await waitMs(wire)).toBe(hourMs);
  await wire.askHubs();
  await untilNextEntry(wire);
  await wire.publishers.hub.publish(feedOf(wire));
  await wire.poll(wire.source);
  expect(await waitMs(wire)).toBe(4 * hourMs);
  expect(await wire.pushes()).toBe('subscribed, polled less often');
  await untilNextEntry(wire);
  await wire.poll(wire.source);
  expect(await waitMs(wire)).toBe(hourMs);
  expect(await wire.pushes()).toMatch(/not pushed$/u);
});

describe('a push is ignored', () => {
  test.each([
    ['forged', (body: string) => ({ body, headers: { 'x-hub-signature': `sha256=${'0'.repeat(64)}` } })],
    ['without a signature', (body: string) => ({ body, headers: {} })],
  ])('%s, and answered alike', async (_, push) => {
    const wire = await openWire();
    await wire.askHubs();
    await untilNextEntry(wire);
    const answer = await fetch(subscriber(wire).callback, { method: 'POST', ...push('<rss/>') });
    expect(answer.status).toBe(202);
    expect(await dueDomains()).toEqual([]);
    expect(await wire.pushes()).toBe('subscribed, nothing pushed yet');
  });
});

test('a hub that is down does not affect polls, and is retried later', async () => {
  const wire = await openWire();
  const usualMs = await waitMs(wire);
  wire.publishers.hub.refuseWith(503);
  await wire.askHubs();
  expect(await wire.pushes()).toBe('status 503');
  clock.advance({ milliseconds: usualMs });
  expect(await dueDomains()).toEqual([wire.source.domain]);
  await store.asSuperuser('UPDATE newsroom.domain SET lease_holder = NULL, leased_until = NULL');
  expect((await wire.poll(wire.source)).isAnswered).toBe(true);
  wire.publishers.hub.refuseWith(null);
  await wire.askHubs();
  expect(wire.publishers.hub.subscribers).toHaveLength(1);
});

test('a subscription is renewed before it ends, and ended when its source is paused', async () => {
  const wire = await openWire();
  await wire.askHubs();
  await wire.askHubs();
  expect(wire.publishers.hub.confirmed).toBe(1);
  clock.advance({ days: 8 });
  await wire.askHubs();
  expect(wire.publishers.hub.confirmed).toBe(2);
  const { callback } = subscriber(wire);
  await wire.desk.changeState(wire.source.id, 'paused', null);
  await wire.askHubs();
  expect(wire.publishers.hub.subscribers).toEqual([]);
  expect((await fetch(callback, { method: 'POST', body: 'x' })).status).toBe(404);
  await wire.desk.changeState(wire.source.id, 'active', null);
  await wire.askHubs();
  expect(subscriber(wire).callback).not.toBe(callback);
});

test.each(['sha1', 'sha384', 'sha512'] as const)('pushes may be signed with %s', async (method) => {
  const wire = await openWire();
  await wire.askHubs();
  clock.advance({ minutes: 2 });
  expect(await wire.publishers.hub.publish(feedOf(wire), method)).toEqual([202]);
  expect(await dueDomains()).toEqual([wire.source.domain]);
});

test('every format of feed names its hub', async () => {
  const wire = await openWire();
  const home: Source['feedUrl'] = feedOf(wire).replace(/[^/]+$/u, '');
  for (const file of ['feed.xml', 'index.rdf', 'atom.xml', 'feed.json']) {
    const feedUrl = `${home}${file}`;
    const source = feedUrl === wire.source.feedUrl ? wire.source : await wire.add(feedUrl);
    await wire.poll(source);
    expect((await wire.stored(source.id)).hub).toEqual({ url: 'https://hub.example/', topic: feedUrl });
  }
});

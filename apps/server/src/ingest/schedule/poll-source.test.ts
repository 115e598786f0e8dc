import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createTestNewsroom } from '../../../test/newsroom.ts';
import { startPublisher } from '../../../test/publisher-server.ts';
import { instantToMs } from '../../foundation/instant.ts';
import { claimDueDomains, leaseDomain, releaseDomain, renewLease } from '../leases/domain-lease-store.ts';
import { createSourceDesk } from '../source-desk.ts';
import { claimDomains, pollDomain } from './poll-domain.ts';
import { LeaseLost } from './poll-source.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
beforeEach(async () => {
  await store.asSuperuser('TRUNCATE newsroom.domain, newsroom.source, newsroom.entry CASCADE');
  clock.set('2026-11-15T08:00:00.000Z');
});
afterAll(() => store.drop());

const feed =
  '<rss version="2.0"><channel><title>Wire</title><ttl>90</ttl><item><guid>1</guid><title>One</title></item></channel></rss>';

async function openWire(answer: (path: string, response: ServerResponse) => void) {
  const publisher = await startPublisher((request, response) => answer(request.url ?? '', response));
  return { ...publisher, newsroom: createTestNewsroom(store, clock, publisher.fetcher) };
}

const minutesUntil = (dueAt: Parameters<typeof instantToMs>[0]): number =>
  Math.round((instantToMs(dueAt) - clock.nowMs()) / 60_000);

describe('the outcome of a poll', () => {
  test.each([
    [
      'a challenge page with status 200',
      200,
      {},
      '<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>',
      'no feed: challenge page',
    ],
    [
      'a consent page with status 200',
      200,
      {},
      '<html><head><title>Before you continue</title></head><body>Accept all cookies, reject all, manage preferences</body></html>',
      'no feed: consent page',
    ],
    ['304 without validators', 304, {}, '', 'not modified without validators'],
    ['500', 500, {}, '', 'status 500'],
    ['a redirect to a private address', 302, { location: 'http://10.0.0.8/' }, '', 'forbidden address'],
    ['a redirect to itself', 302, { location: '/feed' }, '', 'redirect loop'],
  ])('%s is a failure that is retried later', async (_, status, headers, body, outcome) => {
    const { newsroom } = await openWire(
      (_path, response) => void response.writeHead(status, headers).end(body),
    );
    const source = await newsroom.add('http://one.example/feed');
    const report = await newsroom.poll(source);
    expect(report.outcome).toContain(outcome);
    const { health, state } = await newsroom.stored(source.id);
    expect({ state, failures: health.failures, wait: minutesUntil(health.dueAt) }).toEqual({
      state: 'active',
      failures: 1,
      wait: 20,
    });
  });

  test('a source that is paused during a poll stays paused', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const { newsroom } = await openWire((_path, response) => asked.resolve(response));
    const source = await newsroom.add('http://paused.example/feed');
    const polled = newsroom.poll(source);
    const response = await asked.promise;
    await createSourceDesk(newsroom.deskDeps).changeState(source.id, 'paused', 'moves house');
    response.end(feed);
    expect(await polled).toMatchObject({ isAnswered: true, landed: 1 });
    expect(await newsroom.stored(source.id)).toMatchObject({ state: 'paused', stateReason: 'moves house' });
  });

  test('Retry-After as a date postpones every source of the domain', async () => {
    const headers = { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT', date: 'Sun, 15 Nov 2026 08:00:00 GMT' };
    const { newsroom } = await openWire((_path, response) => void response.writeHead(429, headers).end());
    const one = await newsroom.add('http://a.one.example/feed');
    const other = await newsroom.add('http://b.one.example/feed');
    await newsroom.poll(one);
    for (const { id } of [one, other])
      expect(minutesUntil((await newsroom.stored(id)).health.dueAt)).toBeGreaterThanOrEqual(180);
  });

  test('a rate limit postpones other sources of the domain until Retry-After, or as long as its own source', async () => {
    let headers: Record<string, string> = { 'retry-after': '300' };
    const { newsroom } = await openWire((_path, response) => void response.writeHead(429, headers).end());
    const one = await newsroom.add('http://a.busy.example/feed');
    const other = await newsroom.add('http://b.busy.example/feed');
    const wait = async ({ id }: typeof one) => minutesUntil((await newsroom.stored(id)).health.dueAt);
    await newsroom.poll(one);
    expect([await wait(one), await wait(other)]).toEqual([10, 5]);
    headers = {};
    await newsroom.poll(other);
    expect(await wait(one)).toBeGreaterThanOrEqual(15);
    expect(await wait(other)).toBeGreaterThanOrEqual(15);
  });

  test('a feed is not polled again before its ttl and max-age have passed', async () => {
    const { newsroom } = await openWire(
      (_path, response) => void response.writeHead(200, { 'cache-control': 'max-age=7200' }).end(feed),
    );
    const source = await newsroom.add('http://one.example/feed');
    await newsroom.poll(source);
    expect(minutesUntil((await newsroom.stored(source.id)).health.dueAt)).toBe(120);
  });

  test('a permanent redirect becomes the address of the source after ten sightings over three days', async () => {
    const { newsroom, requests } = await openWire((path, response) => {
      if (path === '/old') response.writeHead(301, { location: 'http://new.example/feed' }).end();
      else response.writeHead(200).end(feed);
    });
    const source = await newsroom.add('http://old.example/old');
    for (let poll = 0; poll < 10; poll += 1) {
      expect((await newsroom.stored(source.id)).feedUrl).toBe('http://old.example/old');
      await newsroom.poll(source);
      clock.advance({ hours: 8 });
    }
    expect(await newsroom.stored(source.id)).toMatchObject({
      feedUrl: 'http://new.example/feed',
      domain: 'new.example',
    });
    const due = await store.database
      .selectFrom('newsroom.domain')
      .select('due_at')
      .where('name', '=', 'new.example')
      .execute();
    expect(due[0]?.due_at).toEqual(expect.any(String));
    requests.length = 0;
    await newsroom.poll(await newsroom.stored(source.id));
    expect(requests).toEqual(['new.example /feed']);
  });

  test('410 three times over three days stops the source, and the public record shows it', async () => {
    const { newsroom } = await openWire((_path, response) => void response.writeHead(410).end());
    const source = await newsroom.add('http://one.example/feed');
    for (let poll = 0; poll < 3; poll += 1) {
      await newsroom.poll(source);
      clock.advance({ hours: 36 });
    }
    expect(await newsroom.stored(source.id)).toMatchObject({ state: 'stopped' });
    const shown = await store.database
      .selectFrom('record.source')
      .select('state')
      .where('id', '=', source.id)
      .execute();
    expect(shown).toEqual([{ state: 'stopped' }]);
  });
});

test('a list that cannot be stored is a failure of its source and does not block the next source', async () => {
  const { newsroom } = await openWire((_path, response) => void response.writeHead(200).end(feed));
  const source = await newsroom.add('http://one.example/feed');
  await store.asSuperuser('ALTER TABLE newsroom.entry ADD CONSTRAINT never CHECK (false) NOT VALID');
  const report = await newsroom.poll(source);
  await store.asSuperuser('ALTER TABLE newsroom.entry DROP CONSTRAINT never');
  expect(report.outcome).toContain('could not be stored');
  const { health } = await newsroom.stored(source.id);
  expect({ failures: health.failures, wait: minutesUntil(health.dueAt) }).toEqual({ failures: 1, wait: 20 });
  expect(await newsroom.poll(source)).toMatchObject({ landed: 1 });
});

describe('the lease of a domain', () => {
  const claim = (holder: string, leaseMs = 10_000) =>
    claimDueDomains(store.database, { holder, now: clock.now(), leaseMs, domainsMax: 10 });

  test('goes to one of many processes that claim it at the same time', async () => {
    const { newsroom } = await openWire((_path, response) => void response.end(feed));
    for (let site = 0; site < 6; site += 1) await newsroom.add(`http://site${site}.example/feed`);
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(randomUUID())));
    const domains = claims.flat().map(({ domain }) => domain);
    expect(domains).toHaveLength(6);
    expect(new Set(domains).size).toBe(6);
  });

  test('cannot be renewed after it has expired, and a poll under it commits nothing', async () => {
    const holder = randomUUID();
    const { newsroom } = await openWire((_path, response) => {
      // Another process leases the domain while the publisher answers.
      void store
        .asSuperuser(`UPDATE newsroom.domain SET lease_holder = '${randomUUID()}'`)
        .then(() => response.end(feed));
    });
    const source = await newsroom.add('http://one.example/feed');
    await expect(newsroom.poll(source)).rejects.toThrow(/given up/u);
    expect(await newsroom.entries()).toEqual([]);
    expect((await newsroom.stored(source.id)).health.polledAt).toBeNull();
    expect(await renewLease(store.database, { domain: 'one.example', holder }, 1_000)).toBe(false);
  });

  test('is released with the time of the next request and of the next source', async () => {
    const { newsroom } = await openWire((_path, response) => void response.end(feed));
    await newsroom.add('http://one.example/feed');
    const [lease] = await claim(randomUUID());
    if (lease === undefined) throw new Error('nothing was claimed');
    await releaseDomain(store.database, lease, { requestInMs: 60_000, pagesDueAt: clock.now() });
    expect(await claim(randomUUID())).toEqual([]);
    const waitMs = await leaseDomain(store.database, { ...lease, holder: randomUUID() }, 10_000);
    expect(waitMs).toBeGreaterThan(50_000);
  });
});

describe('a poll that ends the lease of its domain', () => {
  const claimAndPoll = async ({ newsroom }: Awaited<ReturnType<typeof openWire>>) => {
    const { polls, poller, database } = newsroom.deskDeps;
    const transactions: string[] = [];
    const counted: typeof poller = {
      ...poller,
      transaction: (work) => {
        transactions.push('one');
        return poller.transaction(work);
      },
    };
    const outcomes: string[] = [];
    for (const claimed of await claimDomains(polls, counted, database, 5))
      await pollDomain(polls, counted, database, claimed, (_, { outcome }) => outcomes.push(outcome));
    const domains = await store.asSuperuser(
      `SELECT lease_holder, due_at = (SELECT min(due_at) FROM newsroom.source WHERE domain = name) AS is_due_right
       FROM newsroom.domain`,
    );
    return { outcomes, transactions: transactions.length, domains };
  };
  const given = [{ lease_holder: null, is_due_right: true }];

  test('releases it in its own transaction, after closing the connection', async () => {
    const wire = await openWire((_path, response) => void response.end(feed));
    await wire.newsroom.add('http://one.example/feed');
    expect(await claimAndPoll(wire)).toEqual({ outcomes: ['read'], transactions: 2, domains: given });
    clock.advance({ hours: 8 });
    expect(await claimAndPoll(wire)).toEqual({ outcomes: ['nothing new'], transactions: 2, domains: given });
    expect(wire.connections.open).toBe(0);
  });

  test('is the last due poll of the domain', async () => {
    const wire = await openWire((_path, response) => void response.end(feed));
    for (const path of ['a', 'b', 'c']) await wire.newsroom.add(`http://one.example/${path}`);
    await claimAndPoll(wire);
    clock.advance({ hours: 8 });
    const { outcomes, domains } = await claimAndPoll(wire);
    expect(outcomes).toEqual(['nothing new', 'nothing new', 'nothing new']);
    expect(domains).toEqual(given);
  });

  test('commits nothing if it lost the lease, and leaves the new lease unchanged', async () => {
    const wire = await openWire((_path, response) => void response.end(feed));
    const source = await wire.newsroom.add('http://one.example/feed');
    await claimAndPoll(wire);
    const before = (await wire.newsroom.stored(source.id)).health.polledAt;
    clock.advance({ hours: 8 });
    const holder = randomUUID();
    const { polls, poller, database } = wire.newsroom.deskDeps;
    for (const claimed of await claimDomains(polls, poller, database, 5)) {
      await store.asSuperuser(`UPDATE newsroom.domain SET lease_holder = '${holder}'`);
      const polling = pollDomain(polls, poller, database, claimed, () => undefined);
      await expect(polling).rejects.toThrow(LeaseLost);
    }
    expect((await wire.newsroom.stored(source.id)).health.polledAt).toBe(before);
    expect(await store.asSuperuser('SELECT lease_holder FROM newsroom.domain')).toEqual([
      { lease_holder: holder },
    ]);
  });
});

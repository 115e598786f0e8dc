import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { httpGet } from '../../test/http-get.ts';
import type { Publishers } from '../index.ts';
import { createWorld, startPublishers } from '../index.ts';

const startsAt = Date.UTC(2026, 8, 1);
const world = createWorld({ seed: 3, startsAt, outlets: 40, domains: 8 });
const [first, second] = world.sources();
const other = world.sources().find(({ domain }) => domain !== first!.domain)!;
let publishers: Publishers;

beforeAll(async () => {
  publishers = await startPublishers({ world, nowMs: () => startsAt + 5 * 86_400_000, spacingMs: 200 });
});
beforeEach(() => publishers.counters.reset());
afterAll(() => publishers.close());

test('counts requests per registrable domain', async () => {
  expect(second!.domain).toBe(first!.domain);
  for (const { feedUrl } of [first!, second!, other]) await httpGet(publishers.port, feedUrl);
  await httpGet(publishers.port, first!.feedUrl);
  const { counters } = publishers;
  expect(counters.domain(first!.domain)).toMatchObject({
    requests: 3,
    byStatus: { 200: 3 },
    byType: { feed: 3 },
  });
  expect(counters.domain(other.domain).requests).toBe(1);
  expect(counters.hits(first!.feedUrl)).toBe(2);
  expect(counters.total().requests).toBe(4);
  expect(counters.domain('nobody.example').requests).toBe(0);
});

test('counts a request that begins too soon after another of its domain, and not one that waits', async () => {
  await httpGet(publishers.port, first!.feedUrl);
  await delay(200);
  await httpGet(publishers.port, second!.feedUrl);
  await httpGet(publishers.port, other.feedUrl);
  expect(publishers.counters.total().spacingBroken).toBe(0);
  await httpGet(publishers.port, first!.feedUrl);
  const { spacingBroken, closestGapMs } = publishers.counters.domain(first!.domain);
  expect(spacingBroken).toBe(1);
  expect(closestGapMs).toBeLessThan(200);
});

test('counts concurrent requests and open connections', async () => {
  publishers.faults.add(first!, { kind: 'slow', delayMs: 100 }, { times: 2 });
  await Promise.all([httpGet(publishers.port, first!.feedUrl), httpGet(publishers.port, first!.feedUrl)]);
  expect(publishers.counters.domain(first!.domain)).toMatchObject({
    requestsAtOnceMax: 2,
    connectionsAtOnceMax: 2,
  });
  publishers.counters.reset();
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  for (const agent of agents) await httpGet(publishers.port, second!.feedUrl, {}, agent);
  expect(publishers.counters.domain(first!.domain)).toMatchObject({
    requestsAtOnceMax: 1,
    connectionsAtOnceMax: 2,
  });
  for (const agent of agents) agent.destroy();
});

test('computes the share of 304 over all responses', async () => {
  const tagged = await Promise.all(
    world.sources().map(async ({ feedUrl }) => {
      const { headers } = await httpGet(publishers.port, feedUrl);
      return { feedUrl, etag: headers.etag };
    }),
  );
  publishers.counters.reset();
  const { feedUrl, etag } = tagged.find((one) => one.etag !== undefined)!;
  for (const tag of [etag!, '"other"', etag!, `W/"old", ${etag!}`])
    await httpGet(publishers.port, feedUrl, { 'if-none-match': tag });
  expect(publishers.counters.notModifiedShare()).toBe(0.75);
});

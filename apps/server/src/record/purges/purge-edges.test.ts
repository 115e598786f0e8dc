import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory, valueOf } from '../../../test/factories/record-factory.ts';
import type { PurgeServer } from '../../../test/purge-server.ts';
import { startPurgeServer } from '../../../test/purge-server.ts';
import { varnishCache } from '../../foundation/edge/varnish.ts';
import type { SweepContext } from '../../foundation/engine/engine-declarations.ts';
import { createLogger } from '../../foundation/logger.ts';
import { countEdgePurges, readEdgePurges } from './edge-purge-store.ts';
import { createEdgePurging } from './purge-edges.ts';

const clock = createTestClock('2026-11-15T08:00:00.000Z');
const logger = createLogger('silent', 'test');
let store: TestDatabase;
let caches: readonly [PurgeServer, PurgeServer];
beforeAll(async () => {
  store = await createTestDatabase();
  caches = [await startPurgeServer(), await startPurgeServer()];
});
afterEach(() => store.asSuperuser('DELETE FROM record.edge_purge'));
afterAll(async () => {
  await Promise.all(caches.map((cache) => cache.close()));
  await store.drop();
});

const context = (): SweepContext => ({
  epoch: 1,
  transaction: (work) => store.database.transaction().execute(work),
  enqueue: () => Promise.reject(new Error('nothing is enqueued')),
  signal: AbortSignal.timeout(20_000),
});
const purgingOf = (...servers: readonly PurgeServer[]): (() => Promise<void>) => {
  const { run } = createEdgePurging({
    database: store.database,
    caches: servers.map(({ url }) => varnishCache({ url, token: 'a-secret-token-0001' })),
    logger,
  });
  return () => run(context());
};
const tagsOf = ({ headers }: PurgeServer['requests'][number]): readonly string[] =>
  String(headers['x-purge-tags']).split(' ');

async function withdrawOne(): Promise<string> {
  const factory = createRecordFactory({ database: store.database, clock });
  const itemId = await factory.publishSelected();
  valueOf(await factory.publisher.withdrawItem({ itemId }));
  return itemId;
}

test('a publication queues no purge; a withdrawal queues the tags of the item and of every list that shows it', async () => {
  const factory = createRecordFactory({ database: store.database, clock });
  await factory.publishSelected();
  expect(await readEdgePurges(store.database, 10)).toEqual([]);
  const itemId = await withdrawOne();
  const [purge, ...others] = await readEdgePurges(store.database, 10);
  expect(others).toEqual([]);
  expect(new Set(purge?.tags)).toEqual(
    new Set(['items', 'hot-topics', 'stories', 'reports', 'corrections', 'selected', `item-${itemId}`]),
  );
});

test('every cache is purged at once, and again after the second in which an api process may send the old copy', async () => {
  const before = caches.map(({ requests }) => requests.length);
  const itemId = await withdrawOne();
  await purgingOf(...caches)();
  for (const [at, cache] of caches.entries()) {
    const sent = cache.requests.slice(before[at]);
    expect(sent).toHaveLength(2);
    expect(sent.every((request) => tagsOf(request).includes(`item-${itemId}`))).toBe(true);
    expect((sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0)).toBeGreaterThan(1_000);
  }
  expect(await countEdgePurges(store.database)).toMatchObject({ waiting: 0 });
});

test('a cache that refuses does not delay the other and receives missed purges once it accepts', async () => {
  const [one, other] = caches;
  other.answer = { status: 503, body: '' };
  const itemId = await withdrawOne();
  const purge = purgingOf(one, other);
  const missed = async (): Promise<readonly (readonly string[])[]> => {
    await purge();
    return (await readEdgePurges(store.database, 10)).map(({ doneBy }) => doneBy);
  };
  await expect.poll(missed, { timeout: 15_000 }).toEqual([[`varnish ${new URL(one.url).host}`]]);
  other.answer = { status: 200, body: '' };
  await expect.poll(missed, { timeout: 15_000 }).toEqual([]);
  expect(tagsOf(other.requests.at(-1) as PurgeServer['requests'][number])).toContain(`item-${itemId}`);
});

test('without a cache no purge is queued', async () => {
  await withdrawOne();
  await purgingOf()();
  expect(await countEdgePurges(store.database)).toEqual({ waiting: 0, oldestSeconds: 0 });
});

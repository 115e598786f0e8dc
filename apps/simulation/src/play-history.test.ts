import { createWorld } from '@daybook/newswire';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { rollWindow, verifyRecord } from '../../server/src/record/wiring.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import type { TestDatabase } from '../../server/test/database.ts';
import { instantOf } from './dispatched-item.ts';
import { playHistory } from './play-history.ts';
import { openWorld, simulatedSources } from './simulated-world.ts';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

test('days that were interrupted and resumed are one history of the real newsroom, with editions at their hours', async () => {
  const startsAt = instantOf('2026-02-27T00:00:00.000Z');
  const world = createWorld({
    seed: 7,
    startsAt: Date.parse('2026-02-27T00:00:00Z'),
    itemsPerDay: 40,
  });
  const until = instantOf('2026-03-02T03:00:00.000Z');
  const leaving = new AbortController();
  const hours: number[] = [];
  const settings = { until, language: 'en' as const };
  await playHistory(
    store.database,
    { world, startsAt },
    {
      ...settings,
      signal: leaving.signal,
      onProgress: ({ played }) => {
        if (hours.push(played) === 20) leaving.abort();
      },
    },
  );
  expect(hours).toHaveLength(20);
  await playHistory(store.database, { world, startsAt }, settings);

  const editions = await store.asSuperuser(
    `SELECT kind || ' ' || period AS key, generated_at::text AS at FROM record.edition_revision ORDER BY kind, period`,
  );
  expect(editions).toEqual([
    { key: 'daily 2026-02-28', at: '2026-02-28 00:00:00+00' },
    { key: 'daily 2026-03-01', at: '2026-03-01 00:00:00+00' },
    { key: 'daily 2026-03-02', at: '2026-03-02 00:00:00+00' },
    { key: 'monthly 2026-02', at: '2026-03-01 02:30:00+00' },
    { key: 'weekly 2026-W09', at: '2026-03-02 02:00:00+00' },
  ]);
  const [shown] = await store.asSuperuser(`
    SELECT (SELECT count(*) FROM newsroom.source)::int AS sources,
      (SELECT count(*) FROM record.item)::int > 30 AS items,
      (SELECT count(*) FROM record.story WHERE digest IS NOT NULL)::int > 0 AS digests,
      (SELECT count(*) FROM record.ranking)::int AS rankings,
      (SELECT count(*) FROM record.ranking_entry)::int > 0 AS topics`);
  expect(shown).toEqual({
    sources: simulatedSources(world).length,
    items: true,
    digests: true,
    rankings: 75,
    topics: true,
  });
  await rollWindow(store.database, until);
  const findings = await verifyRecord(store.database, until);
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
  // Opening the world of this database later returns the original one.
  const opened = await openWorld(store.database, instantOf('2027-01-01T00:00:00.000Z'));
  expect(opened.startsAt).toBe(startsAt);
}, 120_000);

import { createWorld } from '@daybook/newswire';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { EpochMicroseconds } from '../../server/src/foundation/instant.ts';
import { verifyRecord } from '../../server/src/record/index.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import type { TestDatabase } from '../../server/test/database.ts';
import { openDemo } from './open-demo.ts';
import { instantOf } from './told-report.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const small: typeof createWorld = (settings) => createWorld({ ...settings, itemsPerDay: 8 });

async function playTo(now: EpochMicroseconds): Promise<void> {
  const demo = await openDemo(database.urls.application, now, small);
  await demo.replay.playUntil(now);
  await demo.close();
}

test('a replay that was broken off and taken up again leaves a record without a fault, with something to show everywhere', async () => {
  await playTo(instantOf('2026-03-09T05:00:00.000Z'));
  const later = instantOf('2026-03-10T05:00:00.000Z');
  await playTo(later);
  const findings = await verifyRecord(database.database, later);
  expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
  const [shown] = await database.asSuperuser(`
    SELECT (SELECT count(*) FROM record.edition WHERE kind = 'daily')::int > 25 AS dailies,
      (SELECT count(*) FROM record.edition WHERE kind = 'weekly')::int AS weeklies,
      (SELECT count(*) FROM record.edition WHERE kind = 'monthly')::int AS monthlies,
      (SELECT count(*) FROM record.story WHERE digest IS NOT NULL)::int > 20 AS stories,
      (SELECT count(*) FROM record.ranking)::int > 100 AS rankings,
      (SELECT set_size FROM record.ledger_head)::int > 20 AS mirror`);
  expect(shown).toEqual({
    dailies: true,
    weeklies: 5,
    monthlies: 1,
    stories: true,
    rankings: true,
    mirror: true,
  });
}, 120_000);

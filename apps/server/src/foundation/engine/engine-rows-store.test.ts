import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { dayMs } from '../clock.ts';
import { selectExpiredLimits } from '../limits/strict-limit-store.ts';
import { agingTables, removeAgedRows, selectAgedRows } from './engine-rows-store.ts';
import { selectEndedWorkflows } from './workflow-history-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const older = { thanMs: 30 * dayMs, limit: 1_000 };

test('deletes rows in batches, however many, and leaves young rows and rows still needed', async () => {
  await database.asSuperuser(`
    INSERT INTO dbos.workflow_status (workflow_uuid, status) VALUES ('there', 'PENDING');
    INSERT INTO foundation.committed_step (workflow_id, step, epoch, committed_at)
    SELECT 'gone', 'step ' || n, 1, now() - interval '31 days' FROM generate_series(1, 2500) AS n;
    INSERT INTO foundation.committed_step (workflow_id, step, epoch, committed_at)
    VALUES ('gone', 'young', 1, now()), ('there', 'old', 1, now() - interval '31 days');
    INSERT INTO foundation.paid_call (key, attempt, workflow_id, epoch, intended_at)
    VALUES ('gone', 1, 'gone', 1, now() - interval '31 days'), ('young', 1, 'gone', 1, now());
    INSERT INTO foundation.executor (host, process_id, application_version, ended_at, ended_by)
    VALUES ('old', 1, 'test', now() - interval '31 days', 1), ('alive', 1, 'test', NULL, NULL);`);
  await removeAgedRows(database.database, older.thanMs);
  expect(await database.asSuperuser('SELECT step FROM foundation.committed_step ORDER BY 1')).toEqual([
    { step: 'old' },
    { step: 'young' },
  ]);
  expect(await database.asSuperuser('SELECT key FROM foundation.paid_call')).toEqual([{ key: 'young' }]);
  expect(await database.asSuperuser('SELECT host FROM foundation.executor')).toEqual([{ host: 'alive' }]);
});

/** The index conditions; a scan reads and discards rows that only other conditions exclude. */
async function indexConditions(select: RawBuilder<unknown>): Promise<string> {
  return database.database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL enable_seqscan = off`.execute(transaction);
    await sql`SET LOCAL enable_bitmapscan = off`.execute(transaction);
    const { rows } = await sql<Record<string, string>>`EXPLAIN ${select}`.execute(transaction);
    return rows
      .map((row) => row['QUERY PLAN'] ?? '')
      .filter((line) => line.includes('Index Cond'))
      .join('\n');
  });
}

test.for([
  ...agingTables.map((table) => [table.agesBy, selectAgedRows(table, older)] as const),
  ['completed_at', selectEndedWorkflows(older)] as const,
  ['expires_at', selectExpiredLimits(1_000)] as const,
])('finds rows aged by %s with an index on it', async ([column, select]) => {
  expect(await indexConditions(select)).toMatch(new RegExp(`Index Cond: \\(${column} < `));
});

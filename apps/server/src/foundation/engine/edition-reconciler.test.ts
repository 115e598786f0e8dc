import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus, workflowStatus } from '../../../test/engine.ts';
import type { EditionSet } from './engine-declarations.ts';
import { createHistoryCleanup } from './history-cleanup.ts';

let database: TestDatabase;
let engine: TestEngine | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

const dayMs = 86_400_000;
const firstDayMs = Date.parse('2026-01-01T00:00:00Z');
const dayKey = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const daysUntil = (nowMs: number): string[] => {
  const days: string[] = [];
  for (let day = firstDayMs; day <= nowMs; day += dayMs) days.push(dayKey(day));
  return days;
};

function daily(name: string, make: (key: string) => void, more: Partial<EditionSet> = {}): EditionSet {
  return {
    name,
    due: daysUntil,
    workflow: {
      name,
      queue: { name: 'editions', pollIntervalMs: 50 },
      run: async (context, { key }) => context.step('make', async () => make(key)),
    },
    ...more,
  };
}

describe('editions', () => {
  test('that should exist are made, each once, also those whose hour passed while nobody was there', async () => {
    const made: string[] = [];
    const clock = createTestClock('2026-01-03T12:00:00.000Z');
    engine = await startTestEngine(
      database,
      { editions: [daily('caught-up', (key) => made.push(key))] },
      { clock },
    );
    await untilStatus(database, 'caught-up/2026-01-03', 'SUCCESS');
    clock.set('2026-01-04T00:00:00.000Z');
    await untilStatus(database, 'caught-up/2026-01-04', 'SUCCESS');
    expect(made.sort()).toEqual(['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
  });

  test('that exist already are left alone, whatever history says', async () => {
    const made: string[] = [];
    const set = daily('known', (key) => made.push(key), {
      existing: async (_trx, keys) => new Set(keys.filter((key) => key !== '2026-01-02')),
      retryAfterMs: 1e9,
    });
    const clock = createTestClock('2026-01-03T12:00:00.000Z');
    engine = await startTestEngine(database, { editions: [set] }, { clock });
    await untilStatus(database, 'known/2026-01-02', 'SUCCESS');
    expect(made).toEqual(['2026-01-02']);
    expect(await workflowStatus(database, 'known/2026-01-01')).toBeUndefined();
  });

  test('whose run failed are started anew under the same id', async () => {
    let runs = 0;
    const set = daily(
      'stubborn',
      () => {
        runs += 1;
        if (runs < 3) throw new Error('an empty window');
      },
      { retryAfterMs: 0 },
    );
    const clock = createTestClock('2026-01-01T12:00:00.000Z');
    engine = await startTestEngine(database, { editions: [set] }, { clock });
    await untilStatus(database, 'stubborn/2026-01-01', 'SUCCESS');
    expect(runs).toBe(3);
  });
});

describe('the history', () => {
  test('of what ended longer ago than is kept is forgotten, once a day; what is younger stays', async () => {
    const clock = createTestClock('2026-01-01T12:00:00.000Z');
    const cleanup = createHistoryCleanup({ database: database.database, keepDays: 30 });
    engine = await startTestEngine(database, { editions: [daily('kept', () => {})] }, { clock });
    await untilStatus(database, 'kept/2026-01-01', 'SUCCESS');
    await sql`UPDATE dbos.workflow_status SET workflow_uuid = 'old', completed_at = completed_at - 31 * ${dayMs}::bigint
      WHERE workflow_uuid = 'kept/2026-01-01'`.execute(database.database);
    await sql`UPDATE dbos.operation_outputs SET workflow_uuid = 'old' WHERE workflow_uuid = 'kept/2026-01-01'`.execute(
      database.database,
    );
    await untilStatus(database, 'kept/2026-01-01', 'SUCCESS');
    await engine.stop(5_000);
    engine = await startTestEngine(database, { editions: [cleanup] }, { clock });
    await untilStatus(database, 'engine-history/2026-01-01', 'SUCCESS');
    expect(await workflowStatus(database, 'old')).toBeUndefined();
    expect(await workflowStatus(database, 'kept/2026-01-01')).toBe('SUCCESS');
    const { rows } = await database.pool.query(
      `SELECT FROM dbos.operation_outputs WHERE workflow_uuid = 'old'`,
    );
    expect(rows).toEqual([]);
  });
});

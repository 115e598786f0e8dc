import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus, workflowStatus } from '../../../test/engine.ts';
import { dayMs } from '../clock.ts';
import { chooseKeysToStart } from './edition-reconciler.ts';
import type { EditionSet, RecurringTask } from './engine-declarations.ts';
import { createHistoryCleanup } from './history-cleanup.ts';
import { editionSetOf } from './recurring-task.ts';

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

const fail = (message: string): never => {
  throw new Error(message);
};

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
  test('are created once each if they should exist, also those that fell due while no process was running', async () => {
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

  test('are left alone if they exist, whatever the history says', async () => {
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

  test('are started again under the same id if their run failed', async () => {
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

describe('one that fails', () => {
  test('does not block the editions of the next set, and is counted', async () => {
    const made: string[] = [];
    const failed: string[] = [];
    const broken = daily('broken', () => {}, { due: () => fail('no calendar') });
    const unreadable = daily('unreadable', () => {}, { existing: async () => fail('no table') });
    const clock = createTestClock('2026-01-01T12:00:00.000Z');
    engine = await startTestEngine(
      database,
      { editions: [broken, unreadable, daily('sound', (key) => made.push(key))] },
      { clock, onTaskFailed: (task) => failed.push(task) },
    );
    await untilStatus(database, 'sound/2026-01-01', 'SUCCESS');
    expect(made).toEqual(['2026-01-01']);
    expect(new Set(failed)).toEqual(new Set(['broken', 'unreadable']));
  });

  test('repeatedly does not hold back editions of its set that were never tried', () => {
    const failed = Array.from({ length: 300 }, (_, index) => `failed-${index}`);
    const states = new Map(failed.map((key) => [key, { endedMsAgo: 1_000 }]));
    const missing = [...failed, 'untried'];
    expect(chooseKeysToStart(missing, (key) => states.get(key), 0)).toContain('untried');
    expect(chooseKeysToStart(missing, (key) => states.get(key), 0)).toContain('failed-0');
    expect(chooseKeysToStart(missing, (key) => states.get(key), 1_001)).toEqual(['untried']);
  });
});

describe('a recurring task', () => {
  test('runs once in each period and skips a period without a running process', async () => {
    const runs: string[] = [];
    const task: RecurringTask = {
      name: 'every-ten',
      every: { minutes: 10 },
      run: (context) => context.step('run', async () => void runs.push(context.workflowId)),
    };
    const clock = createTestClock('2026-01-01T11:59:59.999Z');
    engine = await startTestEngine(database, { recurringTasks: [task] }, { clock });
    await untilStatus(database, 'every-ten/2026-01-01T11:50', 'SUCCESS');
    clock.set('2026-01-01T12:30:00.000Z');
    await untilStatus(database, 'every-ten/2026-01-01T12:30', 'SUCCESS');
    expect(runs).toEqual(['every-ten/2026-01-01T11:50', 'every-ten/2026-01-01T12:30']);
  });

  test.each([
    ['hour', '2026-02-03T04'],
    ['day', '2026-02-03'],
    ['month', '2026-02'],
  ] as const)('of every %s belongs to %s', (every, label) => {
    const set = editionSetOf({ name: 'task', every, run: async () => null });
    expect(set.due(Date.parse('2026-02-03T04:05:06.789Z'))).toEqual([label]);
  });

  test('whose minutes do not divide the hour is refused', () => {
    expect(() => editionSetOf({ name: 'task', every: { minutes: 7 }, run: async () => null })).toThrow(
      /divide/,
    );
  });
});

describe('the history cleanup', () => {
  test('deletes entries past their retention once a day and leaves younger ones', async () => {
    const clock = createTestClock('2026-01-01T12:00:00.000Z');
    const cleanup = createHistoryCleanup({ database: database.database, clock, keepDays: 30 });
    engine = await startTestEngine(database, { editions: [daily('kept', () => {})] }, { clock });
    await untilStatus(database, 'kept/2026-01-01', 'SUCCESS');
    await sql`UPDATE dbos.workflow_status SET workflow_uuid = 'old', completed_at = completed_at - 31 * ${dayMs}::bigint
      WHERE workflow_uuid = 'kept/2026-01-01'`.execute(database.database);
    await sql`UPDATE dbos.operation_outputs SET workflow_uuid = 'old' WHERE workflow_uuid = 'kept/2026-01-01'`.execute(
      database.database,
    );
    await untilStatus(database, 'kept/2026-01-01', 'SUCCESS');
    await engine.stop(5_000);
    engine = await startTestEngine(database, { recurringTasks: [cleanup] }, { clock });
    await untilStatus(database, 'engine-history/2026-01-01', 'SUCCESS');
    expect(await workflowStatus(database, 'old')).toBeUndefined();
    expect(await workflowStatus(database, 'kept/2026-01-01')).toBe('SUCCESS');
    const { rows } = await database.pool.query(
      `SELECT FROM dbos.operation_outputs WHERE workflow_uuid = 'old'`,
    );
    expect(rows).toEqual([]);
  });

  test('counts the retention in days of a calendar that runs seven times as fast', async () => {
    const clock = { ...createTestClock('2026-01-05T12:00:00.000Z'), speed: 7 };
    const keptMs = (30 * dayMs) / 7;
    await sql`INSERT INTO dbos.workflow_status (workflow_uuid, status, completed_at)
      SELECT name, 'SUCCESS', extract(epoch FROM clock_timestamp()) * 1000 - age
      FROM (VALUES ('aged', ${keptMs + 60_000}::float8), ('young', ${keptMs - 60_000}::float8)) AS run (name, age)`.execute(
      database.database,
    );
    const cleanup = createHistoryCleanup({ database: database.database, clock, keepDays: 30 });
    engine = await startTestEngine(database, { recurringTasks: [cleanup] }, { clock });
    await untilStatus(database, 'engine-history/2026-01-05', 'SUCCESS');
    expect(await workflowStatus(database, 'aged')).toBeUndefined();
    expect(await workflowStatus(database, 'young')).toBe('SUCCESS');
  });
});

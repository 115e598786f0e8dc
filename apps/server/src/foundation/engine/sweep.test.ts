import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus } from '../../../test/engine.ts';
import type { Sweep, WorkflowDeclaration } from './engine-declarations.ts';

let database: TestDatabase;
let engine: TestEngine | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser(
    'CREATE TABLE foundation.due (id int PRIMARY KEY, claimed_by int); INSERT INTO foundation.due SELECT generate_series(1, 5)',
  );
  await database.asSuperuser('GRANT SELECT, UPDATE ON foundation.due TO daybook_application');
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

const handle: WorkflowDeclaration<number, number> = {
  name: 'handle',
  queue: { name: 'handle', pollIntervalMs: 50 },
  run: async (_context, id) => id,
};

describe('a sweep', () => {
  test('claims rows and enqueues work for them in one transaction', async () => {
    const sweep: Sweep = {
      name: 'claim',
      everySeconds: 0.05,
      run: ({ transaction, enqueue, epoch }) =>
        transaction(async (trx) => {
          const { rows } = await sql<{ id: number }>`
            UPDATE foundation.due SET claimed_by = ${epoch} WHERE id IN (
              SELECT id FROM foundation.due WHERE claimed_by IS NULL ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED)
            RETURNING id`.execute(trx);
          for (const { id } of rows) await enqueue(trx, handle, { id: `handle-${id}`, input: id });
        }),
    };
    engine = await startTestEngine(database, { workflows: [handle], sweeps: [sweep] });
    for (let id = 1; id <= 5; id += 1) await untilStatus(database, `handle-${id}`, 'SUCCESS');
    const { rows } = await sql`SELECT DISTINCT claimed_by FROM foundation.due`.execute(database.database);
    expect(rows).toEqual([{ claimed_by: engine.epoch }]);
  });

  test('runs again after a failure and is counted, and other sweeps continue', async () => {
    const failed: string[] = [];
    let [attempts, runs] = [0, 0];
    engine = await startTestEngine(
      database,
      {
        sweeps: [
          {
            name: 'broken',
            everySeconds: 0.05,
            run: async () => {
              attempts += 1;
              throw new Error('broken');
            },
          },
          { name: 'sound', everySeconds: 0.05, run: async () => void (runs += 1) },
        ],
      },
      { onTaskFailed: (task) => failed.push(task) },
    );
    await expect.poll(() => Math.min(attempts, runs), { timeout: 10_000 }).toBeGreaterThan(2);
    expect(new Set(failed)).toEqual(new Set(['broken']));
  });

  test('writes nothing once the epoch of its process has ended', async () => {
    const outcomes: string[] = [];
    const turn = Promise.withResolvers<void>();
    const sweep: Sweep = {
      name: 'late',
      everySeconds: 60,
      run: async ({ transaction }) => {
        await turn.promise;
        await transaction((trx) => sql`UPDATE foundation.due SET claimed_by = -1`.execute(trx)).then(
          () => outcomes.push('written'),
          () => outcomes.push('refused'),
        );
      },
    };
    engine = await startTestEngine(database, { sweeps: [sweep] });
    await sql`UPDATE foundation.executor SET ended_at = now(), ended_by = 0 WHERE epoch = ${engine.epoch}`.execute(
      database.database,
    );
    turn.resolve();
    await expect.poll(() => outcomes).toEqual(['refused']);
    expect(engine.ends).toHaveLength(1);
  });

  test('receives a signal when its process stops, and the process waits for it', async () => {
    const events: string[] = [];
    const begun = Promise.withResolvers<void>();
    const sweep: Sweep = {
      name: 'long',
      everySeconds: 60,
      run: async ({ signal }) => {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        events.push('sweep ended');
      },
    };
    engine = await startTestEngine(database, { sweeps: [sweep] });
    await begun.promise;
    await engine.stop(5_000);
    events.push('engine stopped');
    engine = undefined;
    expect(events).toEqual(['sweep ended', 'engine stopped']);
  });

  test('follows the calendar: at 600 times the speed, every minute means ten times a second', async () => {
    let runs = 0;
    const clock = { ...createTestClock('2026-01-01T00:00:00.000Z'), speed: 600 };
    const sweep: Sweep = { name: 'minutely', everySeconds: 60, run: async () => void (runs += 1) };
    engine = await startTestEngine(database, { sweeps: [sweep] }, { clock });
    await expect.poll(() => runs, { timeout: 5_000 }).toBeGreaterThan(3);
  });
});

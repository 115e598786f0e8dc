import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { ageEndedWorkflow, startTestEngine, untilStatus } from '../../../test/engine.ts';
import type { WorkflowDeclaration } from './engine-declarations.ts';
import { restartFailedWorkflows } from './workflow-history-store.ts';

let database: TestDatabase;
let engine: TestEngine | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser('CREATE TABLE foundation.written (what text)');
  await database.asSuperuser('GRANT SELECT, INSERT ON foundation.written TO daybook_application');
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

const written = async (): Promise<number> =>
  (await database.pool.query('SELECT FROM foundation.written')).rows.length;

const writing: WorkflowDeclaration<null, string> = {
  name: 'writing',
  queue: { name: 'writing', pollIntervalMs: 50 },
  run: (context) =>
    context.transaction('write', async (trx) => {
      await sql`INSERT INTO foundation.written VALUES ('once')`.execute(trx);
      return 'done';
    }),
};

describe('a transaction step', () => {
  test('whose checkpoint was lost after its commit does not write a second time', async () => {
    engine = await startTestEngine(database, { workflows: [writing] });
    await engine.enqueue(writing, { id: 'w-1', input: null });
    await untilStatus(database, 'w-1', 'SUCCESS');
    expect(await written()).toBe(1);
    // The state after a kill between the step's own commit and the engine's checkpoint.
    await sql`DELETE FROM dbos.operation_outputs WHERE workflow_uuid = 'w-1'`.execute(database.database);
    await sql`UPDATE dbos.workflow_status SET status = 'ENQUEUED', completed_at = NULL, output = NULL
      WHERE workflow_uuid = 'w-1'`.execute(database.database);
    await untilStatus(database, 'w-1', 'SUCCESS');
    expect(await written()).toBe(1);
  });

  test('of an executor whose epoch has ended writes nothing and ends the process', async () => {
    const before = await written();
    engine = await startTestEngine(
      database,
      { workflows: [writing] },
      { timings: { takeoverEveryMs: 60_000 } },
    );
    await sql`UPDATE foundation.executor SET ended_at = now(), ended_by = 0 WHERE epoch = ${engine.epoch}`.execute(
      database.database,
    );
    await engine.enqueue(writing, { id: 'w-2', input: null });
    await expect.poll(() => engine?.ends, { timeout: 10_000 }).toHaveLength(1);
    expect(await written()).toBe(before);
  });
});

/** As PostgreSQL reports it. */
const databaseError = (code: string): Error => Object.assign(new Error(`error ${code}`), { code });

describe('a workflow run', () => {
  test('retries its steps after a time-out, a deadlock and a lost connection, and succeeds', async () => {
    const errors = { read: ['57014', '08006'], write: ['40P01', '55P03', '53100'] };
    const passing: WorkflowDeclaration<null, string> = {
      name: 'passing',
      queue: { name: 'passing', pollIntervalMs: 50 },
      run: async (context) => {
        await context.step('read', async () => {
          const code = errors.read.shift();
          if (code !== undefined) throw databaseError(code);
        });
        return context.transaction('write', async () => {
          const code = errors.write.shift();
          if (code !== undefined) throw databaseError(code);
          return 'done';
        });
      },
    };
    engine = await startTestEngine(database, { workflows: [passing] });
    await engine.enqueue(passing, { id: 'passing-1', input: null });
    await untilStatus(database, 'passing-1', 'SUCCESS');
    expect(errors).toEqual({ read: [], write: [] });
  }, 20_000);

  test('restarts after a failure without repeating its committed transactions', async () => {
    const before = await written();
    let runs = 0;
    const failing: WorkflowDeclaration<null, string> = {
      name: 'failing',
      queue: { name: 'failing', pollIntervalMs: 50 },
      run: async (context) => {
        await context.transaction('write', async (trx) => {
          await sql`INSERT INTO foundation.written VALUES ('once')`.execute(trx);
        });
        return context.step('fail', async () => {
          runs += 1;
          if (runs < 3) throw new Error('a fault of the program');
          return 'done';
        });
      },
    };
    const timings = { restartEveryMs: 50, restShare: 0 };
    engine = await startTestEngine(database, { workflows: [failing] }, { timings });
    await engine.enqueue(failing, { id: 'failing-1', input: null });
    await untilStatus(database, 'failing-1', 'SUCCESS');
    expect(runs).toBe(3);
    expect(await written()).toBe(before + 1);
  }, 20_000);

  test('waits after a failure before it restarts', async () => {
    let runs = 0;
    const failing: WorkflowDeclaration<null, string> = {
      name: 'resting',
      queue: { name: 'resting', pollIntervalMs: 50 },
      run: (context) =>
        context.step('fail', async () => {
          runs += 1;
          throw new Error('a fault of the program');
        }),
    };
    engine = await startTestEngine(database, { workflows: [failing] });
    await engine.enqueue(failing, { id: 'resting-1', input: null });
    await untilStatus(database, 'resting-1', 'ERROR');
    const restart = () =>
      database.database
        .transaction()
        .execute((trx) => restartFailedWorkflows(trx, { names: ['resting'], limit: 10, restShare: 1 }));
    await ageEndedWorkflow(database, 'resting-1', 4 * 60_000);
    expect(await restart()).toEqual([]);
    await ageEndedWorkflow(database, 'resting-1', 2 * 60_000);
    expect(await restart()).toEqual(['resting-1']);
    await expect.poll(() => runs, { timeout: 10_000 }).toBe(2);
  }, 20_000);
});

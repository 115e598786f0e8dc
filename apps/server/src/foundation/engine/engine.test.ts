import { DBOS } from '@dbos-inc/dbos-sdk';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus, workflowStatus } from '../../../test/engine.ts';
import { createLogger } from '../logger.ts';
import type { QueueDeclaration, WorkflowDeclaration } from './engine-declarations.ts';
import { readEngineNumbers } from './engine-numbers.ts';

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

const queue: QueueDeclaration = { name: 'plain', pollIntervalMs: 50 };

function workflow<Input, Output>(
  name: string,
  run: WorkflowDeclaration<Input, Output>['run'],
  on: QueueDeclaration = queue,
): WorkflowDeclaration<Input, Output> {
  return { name, queue: on, run };
}

describe('a workflow', () => {
  test('runs its steps in order and returns its result', async () => {
    const greet = workflow('greet', async (context, input: { readonly name: string }) => {
      const first = await context.step('first', async () => `Hello, ${input.name}`);
      return context.step('second', async () => `${first}!`);
    });
    engine = await startTestEngine(database, { workflows: [greet] });
    await engine.enqueue(greet, { id: 'greet-1', input: { name: 'Ada' } });
    await untilStatus(database, 'greet-1', 'SUCCESS');
    expect(await DBOS.retrieveWorkflow('greet-1').getResult()).toBe('Hello, Ada!');
  });

  test('enqueued twice under one id runs once', async () => {
    let runs = 0;
    const counted = workflow('counted', async (context, _input: null) => {
      await context.step('count', async () => (runs += 1));
    });
    engine = await startTestEngine(database, { workflows: [counted] });
    await engine.enqueue(counted, { id: 'counted-1', input: null });
    await engine.enqueue(counted, { id: 'counted-1', input: null });
    await untilStatus(database, 'counted-1', 'SUCCESS');
    expect(runs).toBe(1);
  });

  test('with two steps of one name fails, because their keys would be equal', async () => {
    const twice = workflow('twice', async (context, _input: null) => {
      await context.step('same', async () => 1);
      await context.step('same', async () => 2);
    });
    engine = await startTestEngine(database, { workflows: [twice] });
    await engine.enqueue(twice, { id: 'twice-1', input: null });
    await untilStatus(database, 'twice-1', 'ERROR');
    await expect(DBOS.retrieveWorkflow('twice-1').getResult()).rejects.toThrow(/two steps named same/);
  });

  test('enqueued in a transaction that rolls back does not exist', async () => {
    const nothing = workflow('nothing', async (_context, _input: null) => null);
    engine = await startTestEngine(database, { workflows: [nothing] });
    const { client } = engine;
    const attempt = database.database.transaction().execute(async (trx) => {
      await client.enqueue(trx, nothing, { id: 'nothing-1', input: null });
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await workflowStatus(database, 'nothing-1')).toBeUndefined();
  });

  test('is requeued when its executor has died, and finished steps are not repeated', async () => {
    const ran: string[] = [];
    const steps = workflow('steps', async (context, _input: null) => {
      for (const name of ['a', 'b', 'c']) await context.step(name, async () => ran.push(name));
    });
    await leaveBehind('steps', 'steps-1', ['a', 'b']);
    engine = await startTestEngine(database, { workflows: [steps] });
    await untilStatus(database, 'steps-1', 'SUCCESS');
    expect(ran).toEqual(['c']);
  });
});

describe('a worker', () => {
  test('releases unfinished work at once when it stops normally', async () => {
    const gate = Promise.withResolvers<void>();
    const starts: string[] = [];
    const patient = workflow('patient', async (context, _input: null) => {
      await context.step('wait', async () => {
        starts.push(context.workflowId);
        if (starts.length === 1) await gate.promise;
      });
    });
    const timings = { takeoverGraceMs: 600_000 };
    engine = await startTestEngine(database, { workflows: [patient] }, { timings });
    await engine.enqueue(patient, { id: 'patient-1', input: null });
    await expect.poll(() => starts.length, { timeout: 10_000 }).toBe(1);
    await engine.stop(0);
    engine = await startTestEngine(database, { workflows: [patient] }, { timings });
    await untilStatus(database, 'patient-1', 'SUCCESS');
    expect(starts).toHaveLength(2);
    gate.resolve();
  });

  test('neither records nor logs unfinished work as failed when it stops', async () => {
    const gate = Promise.withResolvers<void>();
    const lines: string[] = [];
    const begun: string[] = [];
    const cut = workflow('cut', async (context, _input: null) => {
      await context.step('wait', async () => {
        begun.push(context.workflowId);
        await gate.promise;
      });
      await context.step('next', async () => null);
    });
    const logger = createLogger('warn', 'test', { write: (line) => lines.push(line) });
    engine = await startTestEngine(database, { workflows: [cut] }, { logger });
    await engine.enqueue(cut, { id: 'cut-1', input: null });
    await expect.poll(() => begun, { timeout: 10_000 }).toHaveLength(1);
    await engine.stop(0);
    gate.resolve();
    engine = await startTestEngine(database, { workflows: [cut] });
    await untilStatus(database, 'cut-1', 'SUCCESS');
    expect(lines.filter((line) => line.includes('a workflow failed'))).toEqual([]);
  });

  test('exits at once when it loses its lock session', async () => {
    engine = await startTestEngine(database, {});
    await database.asSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'daybook executor lock' AND datname = $1`,
      [database.name],
    );
    await expect.poll(() => engine?.ends).toHaveLength(1);
  });
});

describe('a queue', () => {
  test('never runs more workflows of one key than it allows, and other keys do not wait for it', async () => {
    const running = new Map<string, number>();
    let most = 0;
    const gate = Promise.withResolvers<void>();
    const limited = workflow(
      'limited',
      async (context, key: string) => {
        await context.step('hold', async () => {
          running.set(key, (running.get(key) ?? 0) + 1);
          most = Math.max(most, running.get(key) ?? 0);
          if (key === 'slow') await gate.promise;
          running.set(key, (running.get(key) ?? 0) - 1);
        });
      },
      { name: 'limited', runningPerKeyMax: 2, pollIntervalMs: 50 },
    );
    engine = await startTestEngine(database, { workflows: [limited] });
    for (let index = 0; index < 6; index += 1)
      await engine.enqueue(limited, { id: `slow-${index}`, input: 'slow', key: 'slow' });
    await engine.enqueue(limited, { id: 'quick-1', input: 'quick', key: 'quick' });
    await untilStatus(database, 'quick-1', 'SUCCESS');
    await expect.poll(() => running.get('slow')).toBe(2);
    const numbers = await readEngineNumbers(database.database);
    expect(numbers.queues).toMatchObject([{ queue: 'limited', waiting: 4, running: 2 }]);
    expect(numbers.queues[0]?.lagSeconds).toBeGreaterThan(0);
    expect(numbers.executorsAlive).toBe(1);
    gate.resolve();
    for (let index = 0; index < 6; index += 1) await untilStatus(database, `slow-${index}`, 'SUCCESS');
    expect(most).toBe(2);
  });

  test('with a limit per key refuses work without a key', async () => {
    const keyed = workflow('keyed', async (_context, _input: null) => null, {
      name: 'keyed',
      runningPerKeyMax: 1,
    });
    engine = await startTestEngine(database, { workflows: [keyed] });
    await expect(engine.enqueue(keyed, { id: 'keyed-1', input: null })).rejects.toThrow(/key/);
  });
});

/** The state left by a process that was killed inside its third step. */
async function leaveBehind(name: string, id: string, finished: readonly string[]): Promise<void> {
  const { rows } = await sql<{ epoch: number }>`
    INSERT INTO foundation.executor (host, process_id, application_version, workflow_versions)
    VALUES ('gone', 1, 'test', ${JSON.stringify({ [name]: 1 })}) RETURNING epoch`.execute(database.database);
  const executor = `epoch-${rows[0]?.epoch}`;
  await sql`INSERT INTO dbos.workflow_status (workflow_uuid, status, name, executor_id, application_version,
      queue_name, inputs, serialization, application_name, owner_xid, recovery_attempts)
    VALUES (${id}, 'PENDING', ${name}, ${executor}, 'test', ${queue.name}, '{"json":[null],"__dbos_serializer":"superjson"}', 'js_superjson',
      'daybook', 'theirs', 1)`.execute(database.database);
  for (const [index, step] of finished.entries()) {
    await sql`INSERT INTO dbos.operation_outputs (workflow_uuid, function_id, function_name, output, serialization)
      VALUES (${id}, ${index}, ${step}, '{"json":1,"__dbos_serializer":"superjson"}', 'js_superjson')`.execute(
      database.database,
    );
  }
}

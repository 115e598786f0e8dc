import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus, workflowStatus } from '../../../test/engine.ts';
import type { WorkflowContext, WorkflowDeclaration } from './engine-declarations.ts';
import { readEngineNumbers } from './engine-numbers.ts';
import { acquireExecutorLock } from './executor-lock.ts';
import { leaveEpoch } from './executor-store.ts';

let database: TestDatabase;
let engine: TestEngine | undefined;
let ran: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  ran = [];
});
afterEach(async () => {
  await engine?.stop(5_000);
  engine = undefined;
});
afterAll(() => database.drop());

type Step = (context: WorkflowContext, name: string) => Promise<unknown>;
const plain: Step = (context, name) => context.step(name, async () => ran.push(name));
const committed: Step = (context, name) => context.transaction(name, async () => ran.push(name));
const paid: Step = (context, name) =>
  context.paid(name, { call: async () => ran.push(name), fallback: () => ran.push('fallback') });

/** Never returns in a process that is stopped: another process continues its work. */
const hang: Step = (context, name) =>
  context.step(name, () => {
    ran.push(name);
    return new Promise(() => {});
  });

function compile(
  version: number,
  steps: readonly (readonly [string, Step])[],
): WorkflowDeclaration<null, string> {
  return {
    name: 'compile',
    version,
    queue: { name: 'compile', pollIntervalMs: 50 },
    run: async (context) => {
      for (const [name, step] of steps) await step(context, name);
      return `by version ${version}`;
    },
  };
}

/** Enqueues it, lets a process start it and stops that process in the step `hang`. */
async function startAndAbandon(workflow: WorkflowDeclaration<null, string>, id: string): Promise<void> {
  engine = await startTestEngine(database, { workflows: [workflow] });
  await engine.enqueue(workflow, { id, input: null });
  await expect.poll(() => ran.at(-1), { timeout: 10_000 }).toBe('hang');
  await engine.stop(0);
  engine = undefined;
  ran = [];
}

const releaseOf = async (id: string): Promise<string | null | undefined> =>
  (
    await sql<{ release: string | null }>`
      SELECT application_version AS release FROM dbos.workflow_status WHERE workflow_uuid = ${id}`.execute(
      database.database,
    )
  ).rows[0]?.release;

describe('work begun by a release without a running process', () => {
  test('continues after its finished steps where the workflow has the same version', async () => {
    await startAndAbandon(
      compile(1, [
        ['gather', plain],
        ['hang', hang],
      ]),
      'same',
    );
    const another: WorkflowDeclaration<null, null> = {
      ...compile(1, []),
      name: 'another',
      run: async () => null,
    };
    const next = compile(1, [
      ['gather', plain],
      ['hang', plain],
    ]);
    engine = await startTestEngine(database, { workflows: [next, another] });
    await untilStatus(database, 'same', 'SUCCESS');
    expect(ran).toEqual(['hang']);
  });

  test('restarts in a later version without repeating a transaction or a paid call', async () => {
    await startAndAbandon(
      compile(1, [
        ['gather', plain],
        ['buy', paid],
        ['write', committed],
        ['hang', hang],
      ]),
      'newer',
    );
    const next = compile(2, [
      ['check', plain],
      ['gather', plain],
      ['write', committed],
      ['buy', paid],
      ['tell', plain],
    ]);
    engine = await startTestEngine(database, { workflows: [next] });
    await untilStatus(database, 'newer', 'SUCCESS');
    expect(ran).toEqual(['check', 'gather', 'tell']);
  });

  test('restarts in an earlier version, as after a rollback of a deployment', async () => {
    await startAndAbandon(
      compile(2, [
        ['check', plain],
        ['hang', hang],
      ]),
      'older',
    );
    engine = await startTestEngine(database, { workflows: [compile(1, [['gather', plain]])] });
    await untilStatus(database, 'older', 'SUCCESS');
    expect(ran).toEqual(['gather']);
  });

  test('is left alone while a process of that release runs, and taken over when it has ended', async () => {
    await startAndAbandon(compile(1, [['hang', hang]]), 'living');
    const release = (await releaseOf('living')) ?? '';
    const other = await acquireExecutorLock({
      url: database.urls.application,
      self: { host: 'there', processId: 1, release, versions: { compile: 1 } },
      heartbeatTimeoutMs: 8_000,
      connectWithinMs: 0,
      loopStuckAfterMs: 60_000,
      onLost: () => {},
    });
    const next = compile(3, [['gather', plain]]);
    engine = await startTestEngine(database, { workflows: [next] });
    await engine.enqueue(next, { id: 'beside-it', input: null });
    await untilStatus(database, 'beside-it', 'SUCCESS');
    expect([await workflowStatus(database, 'living'), await releaseOf('living')]).toEqual([
      'ENQUEUED',
      release,
    ]);
    await leaveEpoch(database.database, other.epoch);
    await other.release();
    await untilStatus(database, 'living', 'SUCCESS');
  });
});

test('requeues a claim that never began, as after a database error in between', async () => {
  const workflow = compile(8, [['gather', plain]]);
  engine = await startTestEngine(database, { workflows: [workflow] });
  await sql`INSERT INTO dbos.workflow_status (workflow_uuid, status, name, executor_id, application_version,
      queue_name, inputs, serialization, application_name, owner_xid, recovery_attempts, started_at_epoch_ms)
    SELECT 'never-begun', 'PENDING', 'compile', 'epoch-' || ${engine.epoch}::int, version_name, 'compile',
      '{"json":[null],"__dbos_serializer":"superjson"}', 'js_superjson', 'daybook', 'ours', 1,
      extract(epoch FROM now() - interval '31 seconds') * 1000
    FROM dbos.application_versions ORDER BY version_timestamp DESC LIMIT 1`.execute(database.database);
  await untilStatus(database, 'never-begun', 'SUCCESS');
  expect(ran).toEqual(['gather']);
});

describe('new work', () => {
  test('is taken by a release that ran before and was deployed again', async () => {
    const [first, second] = [compile(4, [['gather', plain]]), compile(5, [['gather', plain]])];
    for (const workflow of [first, second]) {
      engine = await startTestEngine(database, { workflows: [workflow] });
      await engine.stop(0);
    }
    engine = await startTestEngine(database, { workflows: [first] });
    await engine.enqueue(first, { id: 'come-back', input: null });
    await untilStatus(database, 'come-back', 'SUCCESS');
    expect(ran).toEqual(['gather']);
  });

  test('is taken by an older release once no process of the newest one is running', async () => {
    const workflow = compile(6, [['gather', plain]]);
    engine = await startTestEngine(database, { workflows: [workflow] });
    // The state left by a killed newer process: its release stays the latest in the table.
    await sql`INSERT INTO dbos.application_versions (version_id, version_name, version_timestamp, application_name)
      VALUES ('gone', 'gone', 9000000000000, 'daybook')`.execute(database.database);
    await engine.enqueue(workflow, { id: 'routed', input: null });
    await untilStatus(database, 'routed', 'SUCCESS');
    expect(ran).toEqual(['gather']);
  });

  test('that no running process knows is requeued, counted, and done by one that knows it', async () => {
    const queue = { name: 'compile', pollIntervalMs: 50 };
    const novel: WorkflowDeclaration<null, null> = { name: 'novel', queue, run: async () => null };
    engine = await startTestEngine(database, { workflows: [compile(7, [])] });
    await engine.enqueue(novel, { id: 'novel-1', input: null });
    const stranded = async (): Promise<unknown> => (await readEngineNumbers(database.database)).stranded;
    await expect.poll(stranded, { timeout: 10_000 }).toEqual([{ workflow: 'novel', count: 1 }]);
    await engine.stop(0);
    engine = await startTestEngine(database, { workflows: [novel] });
    await untilStatus(database, 'novel-1', 'SUCCESS');
    expect(await stranded()).toEqual([]);
  });
});

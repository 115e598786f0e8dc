import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus } from '../../../test/engine.ts';
import type { WorkflowDeclaration } from './engine-declarations.ts';

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
    // The state a kill leaves between the step's own commit and the engine's checkpoint.
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

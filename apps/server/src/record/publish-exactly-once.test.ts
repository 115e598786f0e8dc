import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { TestDatabase } from '../../test/database.ts';
import { createTestDatabase } from '../../test/database.ts';
import { untilStatus } from '../../test/engine.ts';
import { systemClock } from '../foundation/clock.ts';
import { verifyRecord } from './verify.ts';

const program = fileURLToPath(new URL('../../test/publishing-worker.ts', import.meta.url));
let database: TestDatabase;
let worker: ChildProcess | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.asSuperuser('CREATE TABLE foundation.written (what text)');
  await database.asSuperuser('GRANT INSERT ON foundation.written TO daybook_application');
});
afterEach(async () => {
  worker?.kill('SIGKILL');
  await database.drop();
});

const start = (killAt: string): ChildProcess =>
  // The SDK that the engine uses calls a deprecated function of the driver.
  spawn(process.execPath, ['--no-deprecation', program, database.urls.application, killAt], {
    stdio: 'inherit',
  });

describe('a workflow that is killed publishes exactly once, together with its own row', () => {
  test.each(['before-commit', 'during-commit', 'after-commit'])(
    '%s',
    async (killAt) => {
      const [, signal] = (await once(start(killAt), 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');
      worker = start('never');
      await untilStatus(database, 'publish-1', 'SUCCESS');
      const [counts] = await database.asSuperuser(`
        SELECT (SELECT count(*) FROM foundation.written)::int AS written,
          (SELECT count(*) FROM record.item WHERE selected)::int AS items,
          (SELECT count(*) FROM record.item)::int AS "allItems",
          (SELECT position FROM record.ledger_head)::int AS position`);
      expect(counts).toEqual({ written: 1, items: 1, allItems: 1, position: 1 });
      const findings = await verifyRecord(database.database, systemClock.now());
      expect(findings.filter(({ offenders }) => offenders.length > 0)).toEqual([]);
    },
    60_000,
  );
});

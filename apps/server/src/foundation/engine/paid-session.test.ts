import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createLogger } from '../logger.ts';
import { endEpoch, holdEpoch } from './executor-store.ts';
import { createPaidSession } from './paid-session.ts';
import { routeNewWork } from './workflow-release-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = () =>
  createPaidSession({
    database: database.database,
    lockUrl: database.urls.application,
    logger: createLogger('silent', 'test'),
  });
const step = (key: string) => ({ workflowId: key, key, signal: new AbortController().signal });
const epochs = async (): Promise<readonly number[]> => {
  const rows = await database.asSuperuser(
    'SELECT epoch FROM foundation.executor WHERE ended_at IS NULL ORDER BY epoch',
  );
  return rows.map(({ epoch }) => Number(epoch));
};

test('a call that a killed process had begun is not repeated under the same key', async () => {
  const [killed, next] = [open(), open()];
  const begun = Promise.withResolvers<void>();
  const call = killed.perform(step('question-1'), {
    call: async (_, signal) => {
      begun.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return 'never';
    },
    fallback: () => 'fell back',
  });
  void call.catch(() => {});
  await begun.promise;
  let calls = 0;
  const again = await next.perform(step('question-1'), {
    call: async () => {
      calls += 1;
      return 'called';
    },
    fallback: (why) => why,
  });
  expect([again, calls]).toEqual(['interrupted', 0]);
  await Promise.all([killed.close(), next.close()]);
});

test('a process whose epoch others have ended writes no receipt and begins its next call under another epoch', async () => {
  const [session, other] = [open(), open()];
  const plain = { call: async () => 'called', fallback: () => 'fell back' };
  await other.perform(step('other'), plain);
  const [judge = 0] = await epochs();
  const resume = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const suspended = session.perform(step('suspended'), {
    ...plain,
    call: async () => {
      begun.resolve();
      await resume.promise;
      return 'late';
    },
  });
  await begun.promise;
  const [, epoch = 0] = await epochs();
  // As after a kill: its lock is free.
  await database.asSuperuser(
    'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = $1 AND objid = $2',
    ['advisory', epoch],
  );
  await expect.poll(() => endEpoch(database.database, epoch, judge)).toBe(true);
  resume.resolve();
  await expect(suspended).rejects.toThrow('has ended');
  expect(await session.perform(step('later'), plain)).toBe('called');
  const held = await database.database.transaction().execute((transaction) => holdEpoch(transaction, epoch));
  expect(held).toBe(false);
  await Promise.all([session.close(), other.close()]);
  expect(await epochs()).toEqual([]);
});

test('an epoch for paid calls takes no work from the releases of workers', async () => {
  const session = open();
  await session.perform(step('routing'), { call: async () => 1, fallback: () => 0 });
  await database.asSuperuser(
    `INSERT INTO dbos.application_versions (version_id, version_name, version_timestamp, created_at)
     VALUES ('1', 'paid-calls', 1, 1), ('2', 'worker', 2, 2)`,
  );
  await routeNewWork(database.database);
  const [latest] = await database.asSuperuser(
    'SELECT version_name FROM dbos.application_versions ORDER BY version_timestamp DESC LIMIT 1',
  );
  expect(latest).toEqual({ version_name: 'worker' });
  await session.close();
});

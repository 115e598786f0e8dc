import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { hourMs } from '../clock.ts';
import { toTimestamptz } from '../database/timestamptz.ts';
import { createLogger } from '../logger.ts';
import { readBacklog, storeOutcome } from './outbox-store.ts';
import type { ClaimedMail, Outbox } from './outbox.ts';
import { createOutboxSweep } from './outbox.ts';

const table = 'foundation.test_mail';
let database: TestDatabase;
let clock: ReturnType<typeof createTestClock>;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser(`
    CREATE TABLE ${table} (id int PRIMARY KEY, state text, created_at timestamptz, due_at timestamptz,
      attempts int DEFAULT 0, claimed_by int, settled_at timestamptz, reason text)`);
  await database.asSuperuser(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO daybook_application`);
});
beforeEach(async () => {
  clock = createTestClock('2026-11-15T00:00:00.000Z');
  await sql`DELETE FROM ${sql.table(table)}`.execute(database.database);
});
afterAll(() => database.drop());

async function insertMail(id: number, claimedBy: number | null = null, attempts = 0): Promise<void> {
  const at = toTimestamptz(clock.now());
  await sql`
    INSERT INTO ${sql.table(table)} (id, state, created_at, due_at, claimed_by, attempts)
    VALUES (${id}, ${claimedBy === null ? 'waiting' : 'sending'}, ${at}, ${at}, ${claimedBy}, ${attempts})`.execute(
    database.database,
  );
}

/** States by id, with the reason of undelivered mail. */
async function states(): Promise<readonly string[]> {
  const { rows } = await sql<{ state: string }>`
    SELECT concat_ws(' ', state, reason) AS state FROM ${sql.table(table)} ORDER BY id`.execute(
    database.database,
  );
  return rows.map(({ state }) => state);
}

interface Options {
  readonly epoch?: number;
  readonly isRepeatable?: boolean;
  readonly compose?: Outbox<ClaimedMail>['compose'];
  readonly signal?: AbortSignal;
}

/** One run of the sweep of a process. */
function runOutbox(send: (id: string) => Promise<void>, options: Options = {}): Promise<void> {
  const { epoch = 1, isRepeatable = false, signal = new AbortController().signal } = options;
  const compose =
    options.compose ?? (async (mail: ClaimedMail) => ({ to: mail.id, subject: mail.id, text: '' }));
  const sweep = createOutboxSweep<ClaimedMail>(
    {
      database: database.database,
      clock,
      logger: createLogger('silent', 'test'),
      sendMail: ({ to }) => send(to),
    },
    {
      name: 'test',
      everySeconds: 1,
      table,
      sendWithinMs: hourMs,
      isRepeatable,
      claim: async (trx, { epoch: by, now }) => {
        const { rows } = await sql<ClaimedMail>`
          UPDATE ${sql.table(table)} SET state = 'sending', claimed_by = ${by}
          WHERE id = (SELECT id FROM ${sql.table(table)} WHERE state = 'waiting' AND due_at <= ${toTimestamptz(now)}
            ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING id::text, attempts`.execute(trx);
        return rows[0] ?? null;
      },
      compose,
      settle: (trx, mail, outcome) => storeOutcome(trx, { table }, mail, outcome),
    },
  );
  return sweep.run({
    epoch,
    signal,
    transaction: (work) => database.database.transaction().execute(work),
    enqueue: () => Promise.reject(new Error('nothing is enqueued')),
  });
}

const failing = (fields: object) => async (): Promise<void> => {
  throw Object.assign(new Error('refused'), fields);
};
const unavailable = failing({ syscall: 'connect' });
const lost = failing({ code: 'ECONNECTION', command: 'CONN' });

test('sends each due mail once from two processes at a time', async () => {
  for (let id = 1; id <= 40; id += 1) await insertMail(id);
  await database.asSuperuser(
    `INSERT INTO foundation.executor (epoch, host, process_id, application_version, workflow_versions)
     OVERRIDING SYSTEM VALUE VALUES (101, 'a', 1, '', '{}'), (102, 'b', 1, '', '{}')`,
  );
  const sent: string[] = [];
  const send = async (id: string): Promise<void> => void sent.push(id);
  await Promise.all([runOutbox(send, { epoch: 101 }), runOutbox(send, { epoch: 102 })]);
  expect(sent.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 40 }, (_, at) => String(at + 1)),
  );
  expect(new Set(await states())).toEqual(new Set(['sent']));
});

test('sends mail that becomes due while a slow mail is being sent', async () => {
  const slow = Promise.withResolvers<void>();
  const sent: string[] = [];
  await insertMail(1);
  const run = runOutbox(async (id) => {
    if (id === '1') await slow.promise;
    sent.push(id);
  });
  await expect.poll(states).toEqual(['sending']);
  await insertMail(2);
  await expect.poll(() => sent, { timeout: 5_000 }).toEqual(['2']);
  slow.resolve();
  await run;
  expect(await states()).toEqual(['sent', 'sent']);
});

test('retries an unavailable server every minute until the deadline of the mail', async () => {
  await insertMail(1);
  let attempts = 0;
  const send = async (): Promise<void> => {
    attempts += 1;
    await unavailable();
  };
  for (let minute = 0; minute <= 60; minute += 1) {
    await runOutbox(send);
    await runOutbox(send);
    expect(await states()).toEqual(['waiting']);
    clock.advance({ minutes: 1 });
  }
  await runOutbox(send);
  expect([attempts, await states()]).toEqual([61, ['undelivered too_late']]);
});

test('sends other mail after a permanent refusal, and no more in this run once the server is unavailable', async () => {
  for (const id of [1, 2]) await insertMail(id);
  await runOutbox(async (id) => {
    if (id === '1') await failing({ command: 'RCPT TO', responseCode: 550 })();
  });
  expect(await states()).toEqual(['undelivered address_refused', 'sent']);
  for (let id = 3; id <= 20; id += 1) await insertMail(id);
  let attempts = 0;
  await runOutbox(async () => {
    attempts += 1;
    await unavailable();
  });
  expect(attempts).toBeLessThanOrEqual(4);
});

test('retries a mail that could not be composed', async () => {
  await insertMail(1);
  const sent: string[] = [];
  const send = async (id: string): Promise<void> => void sent.push(id);
  await runOutbox(send, { compose: () => Promise.reject(new Error('the database is away')) });
  expect([sent, await states()]).toEqual([[], ['waiting']]);
  clock.advance({ minutes: 1 });
  await runOutbox(send);
  expect([sent, await states()]).toEqual([['1'], ['sent']]);
});

test('claims no mail once the process stops', async () => {
  await insertMail(1);
  await runOutbox(() => Promise.reject(new Error('is not sent')), { signal: AbortSignal.abort() });
  expect(await states()).toEqual(['waiting']);
});

test('counts due mail and mail that was given up, and measures the age of unsent mail that was not refused', async () => {
  expect(await readBacklog(database.database, table)).toEqual({
    waiting: 0,
    oldestSeconds: 0,
    undelivered: 0,
  });
  for (const id of [1, 2, 3, 4]) await insertMail(id, null, id === 3 ? 1 : 0);
  await sql`
    UPDATE ${sql.table(table)} SET created_at = now() - id * interval '1 minute',
      due_at = CASE id WHEN 2 THEN now() + interval '1 minute' ELSE now() END,
      state = CASE id WHEN 4 THEN 'undelivered' ELSE state END, settled_at = CASE id WHEN 4 THEN now() END`.execute(
    database.database,
  );
  const { waiting, undelivered, oldestSeconds } = await readBacklog(database.database, table);
  expect([waiting, undelivered, Math.floor(oldestSeconds / 10)]).toEqual([2, 1, 12]);
});

describe('mail in doubt', () => {
  test('mail in doubt is listed and not sent again if it is not repeatable', async () => {
    await insertMail(1);
    await insertMail(2, 999_999);
    await runOutbox(lost);
    clock.advance({ minutes: 30 });
    await runOutbox(() => Promise.reject(new Error('is not sent')));
    expect(await states()).toEqual(['undelivered in_doubt', 'undelivered in_doubt']);
  });

  test('mail in doubt is sent again after a minute if it is repeatable', async () => {
    await insertMail(1);
    await runOutbox(lost, { isRepeatable: true });
    const sent: string[] = [];
    const send = async (id: string): Promise<void> => void sent.push(id);
    await runOutbox(send, { isRepeatable: true });
    expect(sent).toEqual([]);
    clock.advance({ minutes: 1 });
    await runOutbox(send, { isRepeatable: true });
    expect([sent, await states()]).toEqual([['1'], ['sent']]);
  });

  test('repeatable mail of a process that ended, or of an earlier run, is sent again at once, five times at most', async () => {
    await insertMail(1, 999_999, 3);
    await insertMail(2, 1, 4);
    const sent: string[] = [];
    await runOutbox(async (id) => void sent.push(id), { isRepeatable: true });
    expect([sent, await states()]).toEqual([['1'], ['sent', 'undelivered in_doubt']]);
  });

  test('mail is not sent by others while the process that claimed it is alive', async () => {
    await database.asSuperuser(
      `INSERT INTO foundation.executor (epoch, host, process_id, application_version, workflow_versions)
       OVERRIDING SYSTEM VALUE VALUES (103, 'a', 1, '', '{}')`,
    );
    await insertMail(1, 103);
    await runOutbox(() => Promise.reject(new Error('is not sent')), { isRepeatable: true });
    expect(await states()).toEqual(['sending']);
    await database.asSuperuser(
      'UPDATE foundation.executor SET ended_at = now(), ended_by = 0 WHERE epoch = 103',
    );
    await runOutbox(async () => {}, { isRepeatable: true });
    expect(await states()).toEqual(['sent']);
  });
});

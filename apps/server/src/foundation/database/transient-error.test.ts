import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { ConcurrentChange } from './concurrent-change.ts';
import { retryTransient, transientCause } from './transient-error.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function errorOf(statement: string, before = ''): Promise<unknown> {
  const client = new pg.Client({ connectionString: database.urls.application });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(`${before}; ${statement}`).then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await client.end();
  }
}

test('a transient error is recognised by its cause', async () => {
  const slow = await errorOf('SELECT pg_sleep(5)', 'SET statement_timeout = 50');
  expect(transientCause(slow)).toBe('timeout');
  expect(transientCause(new ConcurrentChange())).toBe('concurrent change');
  expect(transientCause(new Error('Query read timeout'))).toBe('timeout');
  expect(transientCause(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBe('connection');
  const codes = { '40P01': 'deadlock', '40001': 'serialization', '55P03': 'locked', '53100': 'resources' };
  for (const [code, cause] of Object.entries(codes))
    expect(transientCause(Object.assign(new Error('x'), { code }))).toBe(cause);
});

test('does not retry an error that would recur', async () => {
  const faults = [
    await errorOf('SELECT nothing'),
    await errorOf("SELECT 'x'::integer"),
    await errorOf('INSERT INTO newsroom.domain (name) VALUES (NULL)'),
    new TypeError('a fault of the program'),
    null,
  ];
  expect(faults.map(transientCause)).toEqual([null, null, null, null, null]);
});

test('throws the last error once its signal is aborted', async () => {
  const stopping = new AbortController();
  let attempts = 0;
  const work = retryTransient(
    async () => {
      attempts += 1;
      throw new ConcurrentChange();
    },
    { signal: stopping.signal, onRetry: () => stopping.abort() },
  );
  await expect(work).rejects.toThrow(ConcurrentChange);
  expect(attempts).toBe(2);
});

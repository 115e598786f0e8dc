import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

const askAgainMs = 50;

/**
 * Takes an advisory lock for the lifetime of the session. It polls instead of waiting in PostgreSQL: a
 * waiting statement has a snapshot, and the holder's CREATE INDEX CONCURRENTLY waits for every snapshot.
 */
export async function takeSessionLock(client: pg.ClientBase, key: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      key,
    ]);
    if (rows[0]?.locked === true) return;
    await delay(askAgainMs);
  }
}

import type { TestDatabase } from './database.ts';

/** Waits until this many sessions wait for a lock with a statement that contains the word. */
export async function untilWaiting(database: TestDatabase, word: string, sessions = 1): Promise<void> {
  for (;;) {
    const waiting = await database.asSuperuser(
      `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock' AND query LIKE '%' || $2 || '%'`,
      [database.name, word],
    );
    if (waiting.length >= sessions) return;
  }
}

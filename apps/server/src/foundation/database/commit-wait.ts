import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from './database.ts';

/**
 * Read by any statement of a transaction, it lets that commit without waiting for the disk, so that a
 * transaction waiting for one of its row locks does not wait for the disk as well. Call `waitForCommits`
 * before reporting the result or acting on it outside the database.
 */
export function commitWithoutWaiting(): RawBuilder<string> {
  return sql<string>`set_config('synchronous_commit', 'off', true)`;
}

/** Makes earlier commits as durable as any commit. Concurrent callers share one write. */
export async function waitForCommits(database: Database): Promise<void> {
  // Commits are flushed in order: an empty commit that waits flushes all before it.
  await sql`SELECT pg_logical_emit_message(true, 'daybook', '')`.execute(database);
}

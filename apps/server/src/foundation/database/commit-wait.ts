import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from './database.ts';

/**
 * Read by any statement of a transaction, it lets that commit without waiting for the disk: whoever waits for a row that
 * it has locked then does not wait for the disk as well. Nobody may be told of it, and nothing outside of the database
 * done on the strength of it, before `waitForCommits`.
 */
export function commitWithoutWaiting(): RawBuilder<string> {
  return sql<string>`set_config('synchronous_commit', 'off', true)`;
}

/** What was committed before is as safe afterwards as any commit. Those who wait at the same time share one write. */
export async function waitForCommits(database: Database): Promise<void> {
  // Commits are written in their order: an empty one that is waited for has all before it written.
  await sql`SELECT pg_logical_emit_message(true, 'daybook', '')`.execute(database);
}

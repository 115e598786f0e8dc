import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import { deleteInBatches } from '../foundation/database/batched-delete.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import { accounts } from '../identity/index.ts';

const matchesKeptMs = 90 * dayMs;
const awaitingKeptMs = 7 * dayMs;

/** Deletes matches after 90 days, and after a week those whose story never got enough sources. */
export async function removeOldMatches(database: Database, now: EpochMicroseconds): Promise<number> {
  const [old, awaiting] = [matchesKeptMs, awaitingKeptMs].map((ms) => toTimestamptz(addMs(now, -ms)));
  return deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM watch.match WHERE (search_id, item_id) IN (
        SELECT search_id, item_id FROM watch.match
        WHERE matched_at < ${old} OR (awaits_sources IS NOT NULL AND matched_at < ${awaiting})
        LIMIT ${rows} FOR UPDATE SKIP LOCKED)`.execute(database);
    return Number(numAffectedRows);
  });
}

export interface WatchBacklog {
  readonly entries: number;
  readonly deliveries: number;
  readonly oldestDeliverySeconds: number;
}

/** Log entries that no search was compared with yet, and deliveries that are due. */
export async function readWatchBacklog(database: Database): Promise<WatchBacklog> {
  const { rows } = await sql<{ entries: number; deliveries: number; oldest: number }>`
    SELECT (SELECT (head.size - progress.next_leaf)::float8 FROM record.log_head AS head, watch.progress AS progress) AS entries,
      count(*)::integer AS deliveries,
      greatest(0, coalesce(extract(epoch FROM now() - min(created_at)), 0))::float8 AS oldest
    FROM watch.delivery WHERE state = 'waiting' AND due_at <= now()`.execute(database);
  const [row] = rows;
  return {
    entries: row?.entries ?? 0,
    deliveries: row?.deliveries ?? 0,
    oldestDeliverySeconds: row?.oldest ?? 0,
  };
}

/** Feed addresses and webhooks that ended with the API key that created them. */
export async function removeEndedAddresses(database: Database): Promise<number> {
  let removed = 0n;
  for (const table of ['watch.feed_address', 'watch.webhook'] as const) {
    const ended = database.deleteFrom(table).where((where) => where.not(accounts.isOfLiveKey('via_key_id')));
    removed += (await ended.executeTakeFirstOrThrow()).numDeletedRows;
  }
  return Number(removed);
}

/** After a restore: those that were deleted since the backup cannot be distinguished from the others. */
export async function deleteAllAddresses(
  database: Database,
): Promise<{ readonly feeds: number; readonly webhooks: number }> {
  const feeds = await sql`DELETE FROM watch.feed_address`.execute(database);
  const webhooks = await sql`DELETE FROM watch.webhook`.execute(database);
  return {
    feeds: Number(feeds.numAffectedRows ?? 0n),
    webhooks: Number(webhooks.numAffectedRows ?? 0n),
  };
}

/**
 * After a restore: mail that was not sent may have been sent since, and is listed as undelivered. All mail of searches ends,
 * because those who ended it since the backup cannot be distinguished from the others.
 */
export async function stopRestoredWatchMail(
  database: Database,
  now: EpochMicroseconds,
): Promise<{ readonly undelivered: number; readonly searches: number }> {
  const mails = await sql`
    UPDATE watch.mail
    SET state = 'undelivered', reason = 'in_doubt', claimed_by = NULL, settled_at = ${toTimestamptz(now)}
    WHERE state IN ('waiting', 'sending')`.execute(database);
  await sql`UPDATE watch.match SET is_to_mail = false WHERE is_to_mail AND mail_id IS NULL`.execute(database);
  const searches = await sql`UPDATE watch.saved_search SET mail = 'never' WHERE mail <> 'never'`.execute(
    database,
  );
  return {
    undelivered: Number(mails.numAffectedRows ?? 0n),
    searches: Number(searches.numAffectedRows ?? 0n),
  };
}

/** Everything of a deleted account; matches, feeds and webhooks go with the searches. */
export async function deleteWatchOf(database: Database, accountId: string): Promise<void> {
  await sql`
    DELETE FROM watch.saved_search WHERE id IN (
      SELECT id FROM watch.saved_search WHERE account_id = ${accountId} ORDER BY id FOR UPDATE)`.execute(
    database,
  );
  await sql`DELETE FROM watch.mail WHERE account_id = ${accountId}`.execute(database);
}

import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { Id } from '../foundation/ids.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { cancelWaiting } from './delivery-store.ts';
import { endSubscription } from './subscription-store.ts';

export interface EndedSubscription {
  readonly id: Id<'subscription'>;
  readonly at: EpochMicroseconds;
}

/** All since that time, oldest first. */
export async function readEndedSubscriptions(
  database: Database,
  since: EpochMicroseconds,
): Promise<readonly EndedSubscription[]> {
  const { rows } = await sql<{ id: Id<'subscription'>; at: string }>`
    SELECT id, ended_at AS at FROM mailing.subscription
    WHERE ended_at >= ${toTimestamptz(since)} ORDER BY ended_at, id`.execute(database);
  return rows.map(({ id, at }) => ({ id, at: fromTimestamptz(at) }));
}

/** A subscription that ended after the backup. False if it is not active in the restored database. */
export async function endSubscriptionAgain(
  transaction: Database,
  id: Id<'subscription'>,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM mailing.subscription WHERE id = ${id} AND ended_at IS NULL FOR UPDATE`.execute(transaction);
  if (rows.length === 0) return false;
  await endSubscription(transaction, id, 'unsubscribed', now);
  await cancelWaiting(transaction, id, ['confirm', 'daily', 'weekly'], now);
  return true;
}

/**
 * Mail of the backup that was not sent may have been sent since: reports become undelivered, and no report of the time
 * before the restore is mailed. As the owner. Returns how many mails are listed as undelivered.
 */
export async function stopRestoredMail(transaction: Database, now: EpochMicroseconds): Promise<number> {
  const at = toTimestamptz(now);
  const { numAffectedRows = 0n } = await sql`
    UPDATE mailing.delivery
    SET state = 'undelivered', reason = 'in_doubt', claimed_by = NULL, settled_at = ${at}
    WHERE state IN ('waiting', 'sending')`.execute(transaction);
  await sql`UPDATE mailing.mailed_edition SET completed_at = ${at} WHERE completed_at IS NULL`.execute(
    transaction,
  );
  await sql`DELETE FROM mailing.restore`.execute(transaction);
  await sql`INSERT INTO mailing.restore (restored_at) VALUES (${at})`.execute(transaction);
  return Number(numAffectedRows);
}

/** Null if the database was never restored. */
export async function readRestoredAt(database: Database): Promise<EpochMicroseconds | null> {
  const { rows } = await sql<{ at: string }>`SELECT restored_at AS at FROM mailing.restore`.execute(database);
  return rows[0] === undefined ? null : fromTimestamptz(rows[0].at);
}

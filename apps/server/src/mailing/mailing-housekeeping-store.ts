import { sql } from 'kysely';

import { dayMs } from '../foundation/clock.ts';
import { deleteInBatches } from '../foundation/database/batched-delete.ts';
import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import { confirmWithinMs } from './subscription-store.ts';

/** How long the links of a mail work: people unsubscribe from old mail too. */
export const linksWorkMs = 400 * dayMs;

/** Deletes unconfirmed requests, old mail and old ended subscriptions. Returns the number of rows. */
export async function removeOldMailing(database: Database, now: EpochMicroseconds): Promise<number> {
  const [unconfirmed, old] = [confirmWithinMs, linksWorkMs].map((ms) => toTimestamptz(addMs(now, -ms)));
  const batches = [
    (rows: number) => sql`
      DELETE FROM mailing.subscription WHERE id IN (
        SELECT id FROM mailing.subscription
        WHERE confirmed_at IS NULL AND requested_at < ${unconfirmed} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`,
    (rows: number) => sql`
      DELETE FROM mailing.delivery WHERE id IN (
        SELECT id FROM mailing.delivery WHERE created_at < ${old} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`,
    (rows: number) => sql`
      DELETE FROM mailing.subscription WHERE id IN (
        SELECT id FROM mailing.subscription WHERE ended_at < ${old} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`,
  ];
  let removed = 0;
  for (const batch of batches)
    removed += await deleteInBatches(async (rows) =>
      Number((await batch(rows).execute(database)).numAffectedRows ?? 0n),
    );
  return removed;
}

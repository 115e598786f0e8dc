import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import type { MailedKind } from './subscription-store.ts';

export interface MailedEdition {
  readonly kind: MailedKind;
  readonly period: string;
}

/** Registers editions for confirmed subscribers. Editions registered before are unchanged. */
export async function insertMailedEditions(
  database: Database,
  editions: readonly MailedEdition[],
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    INSERT INTO mailing.mailed_edition (kind, period, found_at)
    SELECT kind, period, ${toTimestamptz(now)}
    FROM unnest(${editions.map(({ kind }) => kind)}::text[], ${editions.map(({ period }) => period)}::text[])
      AS edition (kind, period)
    ON CONFLICT DO NOTHING`.execute(database);
}

/**
 * Inserts the next deliveries of an edition that is incomplete; false if none is. The position commits with them, so a
 * crash causes no duplicates and no omissions.
 */
export async function insertNextDeliveries(
  database: Database,
  deliveriesMax: number,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { rows } = await sql<MailedEdition & { found_at: string; through: string | null }>`
    SELECT kind, period, found_at, through_subscription AS through FROM mailing.mailed_edition
    WHERE completed_at IS NULL ORDER BY found_at, kind, period LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(
    database,
  );
  const [edition] = rows;
  if (edition === undefined) return false;
  const { kind, period, through } = edition;
  const { rows: made } = await sql<{ id: string }>`
    WITH batch AS (
      SELECT id FROM mailing.subscription
      WHERE confirmed_at <= ${toTimestamptz(fromTimestamptz(edition.found_at))} AND ended_at IS NULL
        AND ${sql.ref(kind)} AND (${through}::uuid IS NULL OR id > ${through}::uuid)
      ORDER BY id LIMIT ${deliveriesMax}),
    made AS (
      INSERT INTO mailing.delivery (id, subscription_id, purpose, period, state, created_at, due_at)
      SELECT gen_random_uuid(), id, ${kind}, ${period}, 'waiting', ${toTimestamptz(now)}, ${toTimestamptz(now)}
      FROM batch ON CONFLICT DO NOTHING)
    SELECT id FROM batch ORDER BY id`.execute(database);
  await sql`
    UPDATE mailing.mailed_edition
    SET through_subscription = coalesce(${made.at(-1)?.id ?? null}, through_subscription),
      completed_at = ${made.length < deliveriesMax ? toTimestamptz(now) : null}
    WHERE kind = ${kind} AND period = ${period}`.execute(database);
  return true;
}

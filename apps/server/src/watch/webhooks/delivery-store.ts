import { sql } from 'kysely';

import { dayMs } from '../../foundation/clock.ts';
import { deleteInBatches } from '../../foundation/database/batched-delete.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import { isEpochAtWork } from '../../foundation/engine/executor-store.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { accounts } from '../../identity/index.ts';
import type { ReleasedMatch } from '../searches/match-store.ts';
import type { WebhookFormat, WebhookId } from './webhook.ts';

/** Neither disabled nor ended with the API key that created it. */
const isInUse = sql`(webhook.disabled_at IS NULL AND ${accounts.isOfLiveKey('webhook.via_key_id')})`;

/** A delivery for each webhook of the searches, once for each item. */
export async function insertDeliveries(
  database: Database,
  matches: readonly ReleasedMatch[],
  now: EpochMicroseconds,
): Promise<void> {
  if (matches.length === 0) return;
  const at = toTimestamptz(now);
  await sql`
    INSERT INTO watch.delivery (id, webhook_id, item_id, state, created_at, due_at)
    SELECT gen_random_uuid(), webhook.id, match.item_id, 'waiting', ${at}, ${at}
    FROM unnest(
      ${matches.map(({ searchId }) => searchId)}::uuid[], ${matches.map(({ itemId }) => itemId)}::uuid[])
      AS match (search_id, item_id)
    JOIN watch.webhook ON webhook.search_id = match.search_id AND ${isInUse}
    ON CONFLICT DO NOTHING`.execute(database);
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: WebhookId;
  /** Of the item. */
  readonly itemId: Id<'item'>;
  readonly createdAt: EpochMicroseconds;
  readonly attempts: number;
  readonly format: WebhookFormat;
  readonly sealedAddress: Buffer;
  readonly sealedSecret: Buffer | null;
  readonly search: { readonly id: string; readonly name: string; readonly wording: ReaderLanguage };
}

/** Whether any delivery is due or claimed: one read, so that polling often is cheap. */
export async function hasOpenDeliveries(database: Database, now: EpochMicroseconds): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    SELECT EXISTS (SELECT FROM watch.delivery WHERE state = 'waiting' AND due_at <= ${toTimestamptz(now)})
      OR EXISTS (SELECT FROM watch.delivery WHERE state = 'sending') AS open`.execute(database);
  return rows[0]?.open === true;
}

/** Deliveries of processes that ended, or of an earlier run of this one, may have arrived: they are due again. */
export async function releaseLeftDeliveries(
  database: Database,
  epoch: number,
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    UPDATE watch.delivery SET state = 'waiting', claimed_by = NULL, due_at = ${toTimestamptz(now)}
    WHERE state = 'sending' AND (claimed_by = ${epoch} OR NOT ${isEpochAtWork(sql.ref('claimed_by'))})`.execute(
    database,
  );
  await sql`
    UPDATE watch.delivery SET state = 'cancelled', settled_at = ${toTimestamptz(now)}
    FROM watch.webhook
    WHERE webhook.id = delivery.webhook_id AND NOT ${isInUse} AND delivery.state = 'waiting'`.execute(
    database,
  );
}

/** The next due delivery whose webhook has no other under way: a receiver gets one request at a time. */
export async function claimDelivery(
  database: Database,
  { epoch, now }: { readonly epoch: number; readonly now: EpochMicroseconds },
): Promise<ClaimedDelivery | null> {
  const { rows } = await sql<{
    id: string;
    webhook_id: string;
    item_id: string;
    created_at: string;
    attempts: number;
    format: WebhookFormat;
    sealed_address: Buffer;
    sealed_secret: Buffer | null;
    search_id: string;
    name: string;
    wording: ReaderLanguage;
  }>`
    WITH next AS (
      SELECT delivery.id, webhook.format, webhook.sealed_address, webhook.sealed_secret, search.id AS search_id,
        search.name, search.wording
      FROM watch.delivery
      JOIN watch.webhook ON webhook.id = delivery.webhook_id AND ${isInUse}
      JOIN watch.saved_search AS search ON search.id = webhook.search_id
      WHERE delivery.state = 'waiting' AND delivery.due_at <= ${toTimestamptz(now)}
        AND NOT EXISTS (SELECT FROM watch.delivery AS other
          WHERE other.webhook_id = delivery.webhook_id AND other.state = 'sending')
      ORDER BY delivery.due_at, delivery.id LIMIT 1 FOR UPDATE OF delivery, webhook SKIP LOCKED)
    UPDATE watch.delivery SET state = 'sending', claimed_by = ${epoch}
    FROM next WHERE delivery.id = next.id
    RETURNING delivery.id, delivery.webhook_id, delivery.item_id, delivery.created_at, delivery.attempts, next.format,
      next.sealed_address, next.sealed_secret, next.search_id, next.name, next.wording`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    id: row.id,
    webhookId: row.webhook_id as WebhookId,
    itemId: row.item_id as Id<'item'>,
    createdAt: fromTimestamptz(row.created_at),
    attempts: row.attempts,
    format: row.format,
    sealedAddress: row.sealed_address,
    sealedSecret: row.sealed_secret,
    search: { id: row.search_id, name: row.name, wording: row.wording },
  };
}

/** `waiting`: it is tried again. */
export type DeliveryOutcome =
  | { readonly state: 'delivered' | 'cancelled'; readonly problem: string | null }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'waiting'; readonly problem: string; readonly dueAt: EpochMicroseconds };

export async function settleDelivery(
  database: Database,
  { id }: Pick<ClaimedDelivery, 'id'>,
  outcome: DeliveryOutcome,
  now: EpochMicroseconds,
): Promise<void> {
  const change =
    outcome.state === 'waiting'
      ? sql`due_at = ${toTimestamptz(outcome.dueAt)}`
      : sql`settled_at = ${toTimestamptz(now)}`;
  await sql`
    UPDATE watch.delivery SET state = ${outcome.state}, claimed_by = NULL, attempts = attempts + 1,
      problem = ${outcome.problem}, ${change}
    WHERE id = ${id} AND state = 'sending'`.execute(database);
}

const keptMs = 30 * dayMs;

export async function removeOldDeliveries(database: Database, now: EpochMicroseconds): Promise<number> {
  const before = toTimestamptz(addMs(now, -keptMs));
  return deleteInBatches(async (rows) => {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM watch.delivery WHERE id IN (
        SELECT id FROM watch.delivery WHERE created_at < ${before} LIMIT ${rows} FOR UPDATE SKIP LOCKED)`.execute(
      database,
    );
    return Number(numAffectedRows);
  });
}

import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptzOrNull, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { NamedHub, SourceId, SourceState } from '../sources/source.ts';
import type { HubSubscription, HubSubscriptionId } from './hub-subscription.ts';

/** Wants a subscription at this hub, or at none, and ends the source's subscriptions at other hubs. */
export async function setWantedHub(
  database: Database,
  sourceId: SourceId,
  hub: NamedHub | null,
  { id, now }: { readonly id: HubSubscriptionId; readonly now: EpochMicroseconds },
): Promise<void> {
  const at = toTimestamptz(now);
  await sql`
    UPDATE newsroom.hub_subscription
    SET wanted = 'unsubscribe', attempts = 0, next_attempt_at = ${at}, verify_until = NULL, problem = NULL
    WHERE source_id = ${sourceId} AND wanted = 'subscribe'
      AND (hub_url, topic) IS DISTINCT FROM (${hub?.url ?? null}::text, ${hub?.topic ?? null}::text)`.execute(
    database,
  );
  if (hub === null) return;
  await database
    .insertInto('newsroom.hub_subscription')
    .values({
      id,
      source_id: sourceId,
      hub_url: hub.url,
      topic: hub.topic,
      wanted: 'subscribe',
      created_at: at,
      next_attempt_at: at,
    })
    .onConflict((conflict) => conflict.column('source_id').where('wanted', '=', 'subscribe').doNothing())
    .execute();
}

/** A subscription for which this process sends a request to the hub. */
export interface ClaimedSubscription {
  readonly id: HubSubscriptionId;
  readonly sourceId: SourceId;
  readonly sourceState: SourceState;
  readonly hub: NamedHub;
  readonly wanted: 'subscribe' | 'unsubscribe';
  readonly sealedSecret: Buffer | null;
  readonly attempts: number;
  readonly leaseUntil: EpochMicroseconds | null;
}

/** Claims the subscriptions that have waited longest, for `claimMs`. After that, other processes can claim them, so a killed process loses none. */
export async function claimSubscriptions(
  database: Database,
  request: { readonly now: EpochMicroseconds; readonly claimMs: number; readonly rowsMax: number },
): Promise<readonly ClaimedSubscription[]> {
  const { now, claimMs, rowsMax } = request;
  const { rows } = await sql<{
    id: string;
    source_id: string;
    source_state: string;
    hub_url: string;
    topic: string;
    wanted: ClaimedSubscription['wanted'];
    secret_sealed: Buffer | null;
    attempts: number;
    lease_until: string | null;
  }>`
    WITH due AS (
      SELECT id FROM newsroom.hub_subscription
      WHERE next_attempt_at <= ${toTimestamptz(now)}
      ORDER BY next_attempt_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)
    UPDATE newsroom.hub_subscription s SET next_attempt_at = ${toTimestamptz(addMs(now, claimMs))}
    FROM due, newsroom.source
    WHERE s.id = due.id AND source.id = s.source_id
    RETURNING s.id, s.source_id, source.state AS source_state, s.hub_url, s.topic, s.wanted, s.secret_sealed,
      s.attempts, s.lease_until`.execute(database);
  return rows.map((row) => ({
    id: row.id as HubSubscriptionId,
    sourceId: row.source_id as SourceId,
    sourceState: row.source_state as SourceState,
    hub: { url: row.hub_url, topic: row.topic },
    wanted: row.wanted,
    sealedSecret: row.secret_sealed,
    attempts: row.attempts,
    leaseUntil: fromTimestamptzOrNull(row.lease_until),
  }));
}

/** Stored before the request, because the hub may confirm before it answers. False: the wanted state has changed. */
export async function beginRequest(
  database: Database,
  { id, wanted, attempts }: ClaimedSubscription,
  request: {
    readonly sealedSecret: Buffer;
    readonly callbackHash: Buffer;
    readonly verifyUntil: EpochMicroseconds;
    readonly nextAttemptAt: EpochMicroseconds;
  },
): Promise<boolean> {
  const updated = await database
    .updateTable('newsroom.hub_subscription')
    .set({
      secret_sealed: request.sealedSecret,
      callback_hash: request.callbackHash,
      attempts: attempts + 1,
      verify_until: toTimestamptz(request.verifyUntil),
      next_attempt_at: toTimestamptz(request.nextAttemptAt),
    })
    .where('id', '=', id)
    .where('wanted', '=', wanted)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Stores the outcome of a request, unless the hub has already confirmed it. */
export async function saveRequestOutcome(
  database: Database,
  { id, attempts }: Pick<ClaimedSubscription, 'id' | 'attempts'>,
  outcome: { readonly problem: string | null; readonly notBefore: EpochMicroseconds },
): Promise<void> {
  await sql`
    UPDATE newsroom.hub_subscription
    SET problem = ${outcome.problem}, next_attempt_at = greatest(next_attempt_at, ${toTimestamptz(outcome.notBefore)})
    WHERE id = ${id} AND attempts = ${attempts}`.execute(database);
}

/** Another process holds the lease of the hub's domain. This does not count as an attempt. */
export async function postponeSubscriptions(
  database: Database,
  ids: readonly HubSubscriptionId[],
  until: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('newsroom.hub_subscription')
    .set({ next_attempt_at: toTimestamptz(until) })
    .where('id', 'in', ids)
    .execute();
}

export async function deleteSubscription(database: Database, id: HubSubscriptionId): Promise<void> {
  await database.deleteFrom('newsroom.hub_subscription').where('id', '=', id).execute();
}

/** The subscription that a push belongs to; null: none has this callback address, or it has ended. */
export async function findByCallback(
  database: Database,
  callbackHash: Buffer,
): Promise<{
  readonly id: HubSubscriptionId;
  readonly sourceId: SourceId;
  readonly sealedSecret: Buffer;
} | null> {
  const row = await database
    .selectFrom('newsroom.hub_subscription')
    .select(['id', 'source_id', 'secret_sealed'])
    .where('callback_hash', '=', callbackHash)
    .where('wanted', '=', 'subscribe')
    .executeTakeFirst();
  if (row === undefined || row.secret_sealed === null) return null;
  return {
    id: row.id as HubSubscriptionId,
    sourceId: row.source_id as SourceId,
    sealedSecret: row.secret_sealed,
  };
}

/** A hub's statement about a subscription. */
export interface HubStatement {
  readonly callbackHash: Buffer;
  readonly topic: string;
  readonly now: EpochMicroseconds;
}

/** False: Daybook did not request this, or the time to confirm has passed. Confirming twice has no further effect. */
export async function confirmSubscription(
  database: Database,
  { callbackHash, topic, now }: HubStatement,
  { leaseUntil, renewAt }: { readonly leaseUntil: EpochMicroseconds; readonly renewAt: EpochMicroseconds },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE newsroom.hub_subscription
    SET lease_until = ${toTimestamptz(leaseUntil)}, next_attempt_at = ${toTimestamptz(renewAt)}, attempts = 0, problem = NULL
    WHERE callback_hash = ${callbackHash} AND topic = ${topic} AND wanted = 'subscribe'
      AND verify_until > ${toTimestamptz(now)}`.execute(database);
  return numAffectedRows === 1n;
}

/** The row stays until `verify_until`, so that a hub that asks again gets the same answer. */
export async function confirmUnsubscription(
  database: Database,
  { callbackHash, topic, now }: HubStatement,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE newsroom.hub_subscription SET lease_until = NULL, next_attempt_at = verify_until
    WHERE callback_hash = ${callbackHash} AND topic = ${topic} AND wanted = 'unsubscribe'
      AND verify_until > ${toTimestamptz(now)}`.execute(database);
  return numAffectedRows === 1n;
}

/** The hub will send nothing; Daybook retries at `retryAt`. */
export async function denySubscription(
  database: Database,
  { callbackHash, topic }: HubStatement,
  { problem, retryAt }: { readonly problem: string; readonly retryAt: EpochMicroseconds },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE newsroom.hub_subscription
    SET lease_until = NULL, verify_until = NULL, problem = ${problem}, next_attempt_at = ${toTimestamptz(retryAt)},
      attempts = attempts + 1
    WHERE callback_hash = ${callbackHash} AND topic = ${topic} AND wanted = 'subscribe'`.execute(database);
  return numAffectedRows === 1n;
}

export async function savePushedAt(
  database: Database,
  id: HubSubscriptionId,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('newsroom.hub_subscription')
    .set({ pushed_at: toTimestamptz(now) })
    .where('id', '=', id)
    .execute();
}

/** Stores that a poll followed the pushes before it, and whether it found an entry that no push had announced. */
export async function saveSubscribedPoll(
  database: Database,
  sourceId: SourceId,
  poll: {
    readonly askedAt: EpochMicroseconds;
    readonly now: EpochMicroseconds;
    readonly isUnannounced: boolean;
  },
): Promise<void> {
  await database
    .updateTable('newsroom.hub_subscription')
    .set({
      polled_at: toTimestamptz(poll.askedAt),
      ...(poll.isUnannounced && { unannounced_at: toTimestamptz(poll.now) }),
    })
    .where('source_id', '=', sourceId)
    .where('wanted', '=', 'subscribe')
    .execute();
}

/** The wanted subscription; null: none is wanted. */
export async function readSubscription(
  database: Database,
  sourceId: SourceId,
): Promise<HubSubscription | null> {
  const row = await database
    .selectFrom('newsroom.hub_subscription')
    .select(['lease_until', 'pushed_at', 'polled_at', 'unannounced_at', 'problem'])
    .where('source_id', '=', sourceId)
    .where('wanted', '=', 'subscribe')
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    leaseUntil: fromTimestamptzOrNull(row.lease_until),
    pushedAt: fromTimestamptzOrNull(row.pushed_at),
    polledAt: fromTimestamptzOrNull(row.polled_at),
    unannouncedAt: fromTimestamptzOrNull(row.unannounced_at),
    problem: row.problem,
  };
}

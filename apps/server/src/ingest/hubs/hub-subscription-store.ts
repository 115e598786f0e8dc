import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptzOrNull, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { NamedHub, SourceId, SourceState } from '../sources/source.ts';
import type { HubSubscription, HubSubscriptionId } from './hub-subscription.ts';

/** From now on the source's pushes are to come from this hub, or from none; what another one was asked for is ended. */
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

/** A subscription whose hub this process is to speak to. */
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

/** Those that have waited longest. Nobody else claims them for a while; what a killed process had claimed is claimed again. */
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

/** Before the hub is asked, because it may confirm before it answers. False: something else is wanted by now. */
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

/** How a request ended, unless the hub has confirmed it by then. */
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

/** Its hub is being asked for somebody else: not counted as an attempt. */
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

/** Whom a push is for; null: nobody, or nobody any more. */
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

/** What a hub says about a subscription. */
export interface HubStatement {
  readonly callbackHash: Buffer;
  readonly topic: string;
  readonly now: EpochMicroseconds;
}

/** False: this was not asked for, or too long ago. Confirming again does nothing new. */
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

/** The row stays for as long as the hub may ask again, so that it gets the same answer. */
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

/** The hub will send nothing; it is asked again much later. */
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

/** That a poll has answered what was pushed before it, and whether it found what had not been. */
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

/** The one that is wanted; null: none is. */
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

import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, fromTimestamptzOrNull } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { accounts } from '../../identity/index.ts';
import type { SavedSearchId } from '../searches/saved-search.ts';
import type { Webhook, WebhookFormat, WebhookId } from './webhook.ts';

const columns = [
  'id',
  'search_id',
  'account_id',
  'format',
  'host',
  'created_at',
  'last_delivered_at',
  'failing_since',
  'disabled_at',
] as const;

/** Those that have not ended with the API key that created them. */
const webhooks = (database: Database) =>
  database.selectFrom('watch.webhook').select(columns).where(accounts.isOfLiveKey('via_key_id'));

function webhookOf(
  row: Awaited<ReturnType<ReturnType<typeof webhooks>['executeTakeFirstOrThrow']>>,
): Webhook {
  return {
    id: row.id as WebhookId,
    searchId: row.search_id as SavedSearchId,
    accountId: row.account_id as accounts.AccountId,
    format: row.format as WebhookFormat,
    host: row.host,
    createdAt: fromTimestamptz(row.created_at),
    lastDeliveredAt: fromTimestamptzOrNull(row.last_delivered_at),
    failingSince: fromTimestamptzOrNull(row.failing_since),
    disabledAt: fromTimestamptzOrNull(row.disabled_at),
  };
}

export async function insertWebhook(
  database: Database,
  webhook: Webhook,
  {
    viaKeyId,
    ...sealed
  }: { readonly address: Buffer; readonly secret: Buffer | null; readonly viaKeyId: string | null },
): Promise<void> {
  await database
    .insertInto('watch.webhook')
    .values({
      id: webhook.id,
      search_id: webhook.searchId,
      account_id: webhook.accountId,
      format: webhook.format,
      host: webhook.host,
      created_at: isoMicroseconds(webhook.createdAt),
      sealed_address: sealed.address,
      sealed_secret: sealed.secret,
      via_key_id: viaKeyId,
    })
    .execute();
}

/** Of a search, or with null of all searches of the account; newest first. */
export async function selectWebhooks(
  database: Database,
  accountId: accounts.AccountId,
  searchId: SavedSearchId | null,
): Promise<readonly Webhook[]> {
  const own = webhooks(database).where('account_id', '=', accountId);
  const rows = await (searchId === null ? own : own.where('search_id', '=', searchId))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(webhookOf);
}

/** One of an account, or with null all. */
export async function deleteWebhooks(
  database: Database,
  accountId: accounts.AccountId,
  id: string | null,
): Promise<readonly Pick<Webhook, 'id' | 'searchId' | 'host'>[]> {
  const own = database.deleteFrom('watch.webhook').where('account_id', '=', accountId);
  const rows = await (id === null ? own : own.where('id', '=', id))
    .returning(['id', 'search_id', 'host'])
    .execute();
  return rows.map((row) => ({
    id: row.id as WebhookId,
    searchId: row.search_id as SavedSearchId,
    host: row.host,
  }));
}

/** After a delivery, or a refusal. */
export async function noteDelivered(
  database: Database,
  id: WebhookId,
  now: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('watch.webhook')
    .set({ last_delivered_at: isoMicroseconds(now), failing_since: null })
    .where('id', '=', id)
    .execute();
}

/** Disables a webhook that has failed since before `disableBefore`, or at once; its waiting deliveries are cancelled. */
export async function noteFailed(
  database: Database,
  id: WebhookId,
  { now, disableBefore }: { readonly now: EpochMicroseconds; readonly disableBefore: EpochMicroseconds },
): Promise<void> {
  const [at, before] = [isoMicroseconds(now), isoMicroseconds(disableBefore)];
  await sql`
    UPDATE watch.webhook SET failing_since = coalesce(failing_since, ${at}),
      disabled_at = CASE WHEN coalesce(failing_since, ${at}) <= ${before} THEN ${at}::timestamptz ELSE disabled_at END
    WHERE id = ${id}`.execute(database);
}

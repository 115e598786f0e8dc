import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, fromTimestamptzOrNull } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import { accounts } from '../../identity/index.ts';
import type { SavedSearchId } from '../searches/saved-search.ts';

export interface FeedAddress {
  readonly searchId: SavedSearchId;
  readonly createdAt: EpochMicroseconds;
  readonly lastUsedAt: EpochMicroseconds | null;
}

/** The use of an address is stored this often. */
const useNotedEveryMs = 3_600_000;

/** A new address replaces the former one, which stops working. */
export async function upsertFeedAddress(
  database: Database,
  address: {
    readonly searchId: SavedSearchId;
    readonly accountId: accounts.AccountId;
    readonly secretHash: Buffer;
    /** The API key that created it, with which it ends. */
    readonly viaKeyId: string | null;
    readonly now: EpochMicroseconds;
  },
): Promise<void> {
  const { searchId, accountId, secretHash, viaKeyId, now } = address;
  const values = {
    secret_hash: secretHash,
    via_key_id: viaKeyId,
    created_at: isoMicroseconds(now),
    last_used_at: null,
  };
  await database
    .insertInto('watch.feed_address')
    .values({ search_id: searchId, account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('search_id').doUpdateSet(values))
    .execute();
}

/** One of an account, or with null all. */
export async function deleteFeedAddresses(
  database: Database,
  accountId: accounts.AccountId,
  searchId: string | null,
): Promise<readonly SavedSearchId[]> {
  const own = database.deleteFrom('watch.feed_address').where('account_id', '=', accountId);
  const rows = await (searchId === null ? own : own.where('search_id', '=', searchId))
    .returning('search_id')
    .execute();
  return rows.map((row) => row.search_id as SavedSearchId);
}

/** Of an account, with the names of the searches. */
export async function selectFeedAddresses(
  database: Database,
  accountId: accounts.AccountId,
): Promise<readonly (FeedAddress & { readonly name: string })[]> {
  const rows = await database
    .selectFrom('watch.feed_address as address')
    .innerJoin('watch.saved_search as search', 'search.id', 'address.search_id')
    .select(['search.id', 'search.name', 'address.created_at', 'address.last_used_at'])
    .where('address.account_id', '=', accountId)
    .where(accounts.isOfLiveKey('address.via_key_id'))
    .orderBy('address.created_at', 'desc')
    .execute();
  return rows.map((row) => ({
    searchId: row.id as SavedSearchId,
    name: row.name,
    createdAt: fromTimestamptz(row.created_at),
    lastUsedAt: fromTimestamptzOrNull(row.last_used_at),
  }));
}

/** The search of an address, and notes the use. Null for an unknown or former address, and after the end of its API key. */
export async function findSearchOfFeed(
  database: Database,
  secretHash: Buffer,
  now: EpochMicroseconds,
): Promise<SavedSearchId | null> {
  const row = await database
    .selectFrom('watch.feed_address')
    .select(['search_id', 'last_used_at'])
    .where('secret_hash', '=', secretHash)
    .where(accounts.isOfLiveKey('via_key_id'))
    .executeTakeFirst();
  if (row === undefined) return null;
  const usedAt = fromTimestamptzOrNull(row.last_used_at);
  if (usedAt === null || usedAt < addMs(now, -useNotedEveryMs))
    await database
      .updateTable('watch.feed_address')
      .set({ last_used_at: isoMicroseconds(now) })
      .where('secret_hash', '=', secretHash)
      .execute();
  return row.search_id as SavedSearchId;
}

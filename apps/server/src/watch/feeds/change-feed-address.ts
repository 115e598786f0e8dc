import { defineAuditKind, recordAuditEvent } from '../../audit/index.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { createSecretToken, secretTokenHash } from '../../foundation/secret-token.ts';
import type { credentials } from '../../identity/index.ts';
import type { SavedSearchDeps, SearchOwner } from '../searches/save-search.ts';
import { keyIdOf, requireLiveOwner, requireSearch } from '../searches/save-search.ts';
import { deleteFeedAddresses, selectFeedAddresses, upsertFeedAddress } from './feed-address-store.ts';

export const feedAddressCreated = defineAuditKind(
  'feed_address_created',
  (word) => `You created a private feed address for the saved search “${word('name')}”.`,
);
export const feedAddressDeleted = defineAuditKind(
  'feed_address_deleted',
  'A private feed address of a saved search was deleted.',
);

export interface FeedAddressRequest {
  readonly accountId: SearchOwner['accountId'];
  readonly searchId: string;
  readonly client: credentials.Client;
}

/** Returns the secret of the new address, which is not stored; a former address of the search stops working. */
export async function createFeedAddress(
  { database, clock, ids }: SavedSearchDeps,
  { accountId, credential, searchId, client }: FeedAddressRequest & SearchOwner,
): Promise<string> {
  const secret = createSecretToken();
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    await requireLiveOwner(transaction, { accountId, credential }, now);
    const search = await requireSearch({ database: transaction }, accountId, searchId);
    const secretHash = secretTokenHash(secret);
    await upsertFeedAddress(transaction, {
      searchId: search.id,
      accountId,
      secretHash,
      viaKeyId: keyIdOf(credential),
      now,
    });
    const detail = { searchId: search.id, name: search.name };
    await recordAuditEvent(transaction, ids, {
      kind: feedAddressCreated,
      at: now,
      accountId,
      client,
      detail,
    });
  });
  return secret;
}

/** False if the search has no address. */
export async function deleteFeedAddress(
  deps: SavedSearchDeps,
  { accountId, searchId, client }: FeedAddressRequest,
): Promise<boolean> {
  const ending = { accountId, client, only: searchId };
  return deps.database
    .transaction()
    .execute(async (transaction) => (await endAddresses(transaction, deps, ending)) > 0);
}

/** Deletes one or all addresses of an account, in the caller's transaction; returns how many. */
async function endAddresses(
  transaction: SavedSearchDeps['database'],
  { clock, ids }: Pick<SavedSearchDeps, 'clock' | 'ids'>,
  { accountId, client, only }: Pick<credentials.Ending, 'accountId' | 'client' | 'only'>,
): Promise<number> {
  const deleted = await deleteFeedAddresses(transaction, accountId, only);
  for (const searchId of deleted) {
    const event = { kind: feedAddressDeleted, at: clock.now(), accountId, client, detail: { searchId } };
    await recordAuditEvent(transaction, ids, event);
  }
  return deleted.length;
}

export const feedAddresses: credentials.CredentialKind = {
  name: 'private feed addresses',
  columns: ['watch.feed_address.account_id'],
  effects: {
    password_change: { stays: 'Feed readers go on; a reset ends them.' },
    password_reset: 'ends',
    email_undo: 'ends',
    end_all: 'ends',
    deletion: 'ends',
    removal_from_organization: { stays: 'A feed of news belongs to no organization.' },
  },
  list: async (database, { accountId }) =>
    (await selectFeedAddresses(database, accountId)).map(({ searchId, name, createdAt, lastUsedAt }) => ({
      id: searchId,
      name,
      createdAt: isoMilliseconds(createdAt),
      lastUsedAt: lastUsedAt === null ? null : isoMilliseconds(lastUsedAt),
      origin: null,
    })),
  end: async (transaction, deps, ending) => {
    await endAddresses(transaction, deps, ending);
  },
};

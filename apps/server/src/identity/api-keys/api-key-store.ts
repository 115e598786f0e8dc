import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';
import type { ApiKeyId, ApiKeyLimit } from '../credentials/api-key.ts';
import { credentialChannel } from '../credentials/credential-channel.ts';

export interface ApiKeyRecord {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly organizations: readonly OrganizationId[] | null;
  /** Null for every permission of the account. */
  readonly limit: ApiKeyLimit | null;
  readonly createdAt: EpochMicroseconds;
  readonly expiresAt: EpochMicroseconds | null;
  readonly lastUsedAt: EpochMicroseconds | null;
}

const columns = [
  'id',
  'account_id',
  'name',
  'organization_ids',
  'permissions',
  'created_at',
  'expires_at',
  'last_used_at',
] as const;

interface ApiKeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly organization_ids: string[] | null;
  readonly permissions: unknown;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

function recordOf(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id as ApiKeyId,
    accountId: row.account_id as AccountId,
    name: row.name,
    organizations: row.organization_ids as OrganizationId[] | null,
    limit: row.permissions as ApiKeyLimit | null,
    createdAt: fromTimestamptz(row.created_at),
    expiresAt: row.expires_at === null ? null : fromTimestamptz(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : fromTimestamptz(row.last_used_at),
  };
}

export async function insertApiKey(
  database: Database,
  key: Omit<ApiKeyRecord, 'lastUsedAt'> & { readonly secretHash: Buffer },
): Promise<void> {
  await database
    .insertInto('identity.api_key')
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      secret_hash: key.secretHash,
      organization_ids: key.organizations === null ? null : [...key.organizations],
      permissions: key.limit === null ? null : JSON.stringify(key.limit),
      created_at: isoMicroseconds(key.createdAt),
      expires_at: key.expiresAt === null ? null : isoMicroseconds(key.expiresAt),
    })
    .execute();
}

/** Neither revoked nor expired. */
export async function findLiveApiKey(
  database: Database,
  secretHash: Buffer,
  now: EpochMicroseconds,
): Promise<ApiKeyRecord | null> {
  const row = await liveKeys(database, now).where('secret_hash', '=', secretHash).executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}

/** The same by its id, if it is the account's. */
export async function findOwnLiveApiKey(
  database: Database,
  accountId: AccountId,
  id: string,
  now: EpochMicroseconds,
): Promise<ApiKeyRecord | null> {
  const row = await liveKeys(database, now)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : recordOf(row);
}

/** The live keys of an account, newest first. */
export async function listLiveApiKeys(
  database: Database,
  accountId: AccountId,
  now: EpochMicroseconds,
): Promise<readonly ApiKeyRecord[]> {
  const rows = await liveKeys(database, now)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(recordOf);
}

function liveKeys(database: Database, now: EpochMicroseconds) {
  return database
    .selectFrom('identity.api_key')
    .select(columns)
    .where('revoked_at', 'is', null)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', isoMicroseconds(now))]),
    );
}

/** A soft delete: the row stays for the audit log. False if the key is another account's, or has ended. */
export async function markApiKeyRevoked(
  database: Database,
  accountId: AccountId,
  id: ApiKeyId,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('identity.api_key')
    .set({ revoked_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await sql`SELECT pg_notify(${credentialChannel}, ${id})`.execute(database);
  return true;
}

const useNotedEveryMs = 60_000;

/** At most once a minute, across all processes. */
export async function noteApiKeyUse(
  database: Database,
  { id, lastUsedAt }: ApiKeyRecord,
  now: EpochMicroseconds,
): Promise<void> {
  const before = addMs(now, -useNotedEveryMs);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  await database
    .updateTable('identity.api_key')
    .set({ last_used_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', isoMicroseconds(before))]),
    )
    .execute();
}

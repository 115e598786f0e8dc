import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, isoMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { PlatformToken, PlatformTokenId, TokenMode } from './platform-token.ts';

function tokens(database: Database) {
  return database
    .selectFrom('access.platform_token as token')
    .innerJoin('identity.account as creator', 'creator.id', 'token.created_by')
    .select([
      'token.id',
      'token.organization_id',
      'token.name',
      'token.created_by',
      'creator.username',
      'token.mode',
      'token.created_at',
      'token.expires',
      'token.expires_in',
      'token.expires_at',
      'token.last_used_at',
    ]);
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof tokens>['executeTakeFirstOrThrow']>>;

function tokenOf(row: TokenRow): PlatformToken {
  return {
    id: row.id as PlatformTokenId,
    organizationId: row.organization_id as accounts.OrganizationId,
    name: row.name,
    creator: { id: row.created_by as accounts.AccountId, username: row.username },
    mode: row.mode as TokenMode,
    createdAt: fromTimestamptz(row.created_at),
    expires: row.expires,
    expiresIn: row.expires_in,
    expiresAt: row.expires_at === null ? null : fromTimestamptz(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : fromTimestamptz(row.last_used_at),
  };
}

export async function findTokenBySecret(
  database: Database,
  secretHash: Buffer,
): Promise<PlatformToken | null> {
  const row = await tokens(database).where('token.secret_hash', '=', secretHash).executeTakeFirst();
  return row === undefined ? null : tokenOf(row);
}

export async function findTokenById(database: Database, id: PlatformTokenId): Promise<PlatformToken | null> {
  const row = await tokens(database).where('token.id', '=', id).executeTakeFirst();
  return row === undefined ? null : tokenOf(row);
}

export async function findTokenByName(
  database: Database,
  organizationId: accounts.OrganizationId,
  name: string,
): Promise<PlatformToken | null> {
  const row = await tokens(database)
    .where('token.organization_id', '=', organizationId)
    .where('token.name', '=', name)
    .executeTakeFirst();
  return row === undefined ? null : tokenOf(row);
}

/** Newest first, then by name: only by fields in the response. An organization has a bounded number of them. */
export async function selectTokens(
  database: Database,
  organizationId: accounts.OrganizationId,
): Promise<readonly PlatformToken[]> {
  const rows = await tokens(database)
    .where('token.organization_id', '=', organizationId)
    .orderBy('token.created_at', 'desc')
    .orderBy(sql`token.name COLLATE "C"`, 'desc')
    .execute();
  return rows.map(tokenOf);
}

/** The tokens of an account in its organizations: a member who leaves loses theirs. Oldest first. */
export async function selectTokensMadeBy(
  database: Database,
  creatorId: accounts.AccountId,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly PlatformToken[]> {
  let query = tokens(database).where('token.created_by', '=', creatorId);
  if (page.after !== undefined) query = query.where('token.id', '>', page.after);
  return (await query.orderBy('token.id').limit(page.limit).execute()).map(tokenOf);
}

export async function countTokens(
  database: Database,
  organizationId: accounts.OrganizationId,
): Promise<number> {
  const { count } = await database
    .selectFrom('access.platform_token')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updateTokenMode(
  database: Database,
  id: PlatformTokenId,
  mode: TokenMode,
): Promise<void> {
  await database.updateTable('access.platform_token').set({ mode }).where('id', '=', id).execute();
}

export async function deleteTokens(
  database: Database,
  organizationId: accounts.OrganizationId,
  ids: readonly PlatformTokenId[],
): Promise<void> {
  if (ids.length === 0) return;
  await database
    .deleteFrom('access.platform_token')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute();
}

/** The tokens of a member in an organization. */
export async function selectTokenIdsOf(
  database: Database,
  organizationId: accounts.OrganizationId,
  creatorId: accounts.AccountId,
): Promise<readonly PlatformTokenId[]> {
  const rows = await database
    .selectFrom('access.platform_token')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', creatorId)
    .execute();
  return rows.map(({ id }) => id as PlatformTokenId);
}

/** The organizations in which an account created tokens. */
export async function selectTokenOrganizationsOf(
  database: Database,
  creatorId: accounts.AccountId,
): Promise<readonly accounts.OrganizationId[]> {
  const rows = await database
    .selectFrom('access.platform_token')
    .select('organization_id')
    .distinct()
    .where('created_by', '=', creatorId)
    .execute();
  return rows.map((row) => row.organization_id as accounts.OrganizationId);
}

export async function insertToken(
  database: Database,
  token: Omit<PlatformToken, 'lastUsedAt'>,
  secretHash: Buffer,
): Promise<void> {
  await database
    .insertInto('access.platform_token')
    .values({
      id: token.id,
      organization_id: token.organizationId,
      name: token.name,
      secret_hash: secretHash,
      created_by: token.creator.id,
      mode: token.mode,
      created_at: isoMicroseconds(token.createdAt),
      expires: token.expires,
      expires_in: token.expiresIn,
      expires_at: token.expiresAt === null ? null : isoMicroseconds(token.expiresAt),
    })
    .execute();
}

const useNotedEveryMs = 60_000;

/** At most once a minute, across all processes. */
export async function noteTokenUse(
  database: Database,
  { id, lastUsedAt }: Pick<PlatformToken, 'id' | 'lastUsedAt'>,
  now: EpochMicroseconds,
): Promise<void> {
  const before = addMs(now, -useNotedEveryMs);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  await database
    .updateTable('access.platform_token')
    .set({ last_used_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', isoMicroseconds(before))]),
    )
    .execute();
}

/** For a restored database, as its owner. The tokens stay listed, so that their organizations can create them again. */
export async function expireAllPlatformTokens(
  transaction: Database,
  now: EpochMicroseconds,
): Promise<number> {
  const at = isoMicroseconds(now);
  const { numUpdatedRows } = await transaction
    .updateTable('access.platform_token')
    .set({ expires_at: at })
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

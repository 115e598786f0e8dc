import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';

/** An organization by its key, one of its projects, or the storage of one person in it. */
export interface QuotaOwner {
  readonly organization: string;
  readonly project?: string;
  readonly person?: string;
}

export interface Quota {
  readonly bytes: number;
  /** Null: the default. */
  readonly quotaBytes: number | null;
}

/** Null if an organization, project or person of this name does not exist. */
export async function readQuotas(database: Database, owner: QuotaOwner): Promise<Quota | null> {
  const { organization, project, person } = owner;
  const { rows } = await (
    project === undefined && person === undefined
      ? sql<{ bytes: bigint; quota: bigint | null }>`
          SELECT coalesce(used_bytes + reserved_bytes, 0) AS bytes, quota_bytes AS quota
          FROM identity.organization LEFT JOIN storage.usage ON usage.organization_id = organization.id
          WHERE key = ${organization}`
      : project === undefined
        ? sql<{ bytes: bigint; quota: bigint | null }>`
            SELECT coalesce(bytes, 0) AS bytes, quota_bytes AS quota
            FROM identity.organization JOIN identity.account ON username = ${person}
              LEFT JOIN storage.person_usage ON person_usage.organization_id = organization.id
                AND account_id = account.id
            WHERE key = ${organization}`
        : sql<{ bytes: bigint; quota: bigint | null }>`
            SELECT coalesce(bytes, 0) AS bytes, quota_bytes AS quota
            FROM identity.organization JOIN storage.project ON project.organization_id = organization.id
              LEFT JOIN storage.project_usage ON project_id = project.id
            WHERE key = ${organization} AND project.id::text = ${project}`
  ).execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  return { bytes: Number(row.bytes), quotaBytes: row.quota === null ? null : Number(row.quota) };
}

/** Null: the default. A quota below what is stored deletes nothing; it refuses uploads. False for an unknown owner. */
export async function setQuota(
  database: Database,
  { organization, project, person }: QuotaOwner,
  quotaBytes: number | null,
): Promise<boolean> {
  const quota = sql`${quotaBytes}::bigint`;
  const { rows } = await (
    project === undefined && person === undefined
      ? sql`
          INSERT INTO storage.usage (organization_id, quota_bytes)
          SELECT id, ${quota} FROM identity.organization WHERE key = ${organization}
          ON CONFLICT (organization_id) DO UPDATE SET quota_bytes = excluded.quota_bytes RETURNING 1`
      : project === undefined
        ? sql`
            INSERT INTO storage.person_usage (organization_id, account_id, quota_bytes)
            SELECT organization.id, account.id, ${quota}
            FROM identity.organization JOIN identity.account ON username = ${person} WHERE key = ${organization}
            ON CONFLICT (organization_id, account_id) DO UPDATE SET quota_bytes = excluded.quota_bytes RETURNING 1`
        : sql`
            INSERT INTO storage.project_usage (project_id, quota_bytes)
            SELECT project.id, ${quota} FROM identity.organization
              JOIN storage.project ON project.organization_id = organization.id
            WHERE key = ${organization} AND project.id::text = ${project}
            ON CONFLICT (project_id) DO UPDATE SET quota_bytes = excluded.quota_bytes RETURNING 1`
  ).execute(database);
  return rows.length > 0;
}

export interface StoredBytes {
  readonly used: number;
  /** Of uploads that are not completed. */
  readonly reserved: number;
  /** Organizations that use more than 90 % of their quota. */
  readonly nearlyFull: number;
}

/** Of all organizations. `quotaBytes`: of those without one of their own. */
export async function readStoredBytes(database: Database, quotaBytes: number): Promise<StoredBytes> {
  const { rows } = await sql<StoredBytes>`
    SELECT coalesce(sum(used_bytes), 0)::float8 AS used, coalesce(sum(reserved_bytes), 0)::float8 AS reserved,
      count(*) FILTER (WHERE used_bytes + reserved_bytes > 0.9 * coalesce(quota_bytes, ${quotaBytes}::bigint))::int
        AS "nearlyFull"
    FROM storage.usage`.execute(database);
  return rows[0] ?? { used: 0, reserved: 0, nearlyFull: 0 };
}

/** A member of an organization, and the storage that counts for them in it. */
export interface PersonUsage extends Quota {
  readonly id: accounts.AccountId;
  readonly username: string;
  readonly role: string;
  /** When they joined. */
  readonly createdAt: EpochMicroseconds;
}

function people(database: Database, organizationId: callers.Organization['id']) {
  return database
    .selectFrom('identity.organization_membership as membership')
    .innerJoin('identity.account as account', 'account.id', 'membership.account_id')
    .leftJoin('storage.person_usage as usage', (join) =>
      join
        .onRef('usage.organization_id', '=', 'membership.organization_id')
        .onRef('usage.account_id', '=', 'membership.account_id'),
    )
    .select([
      'account.id',
      'account.username',
      'membership.role',
      'membership.created_at',
      'usage.bytes',
      'usage.quota_bytes',
    ])
    .where('membership.organization_id', '=', organizationId);
}

function personOf(
  row: Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirstOrThrow']>>,
): PersonUsage {
  return {
    id: row.id as accounts.AccountId,
    username: row.username,
    role: row.role,
    createdAt: fromTimestamptz(row.created_at),
    bytes: Number(row.bytes ?? 0n),
    quotaBytes: row.quota_bytes === null ? null : Number(row.quota_bytes),
  };
}

export async function selectPeopleUsage(
  database: Database,
  organizationId: callers.Organization['id'],
  request: PageRequest<accounts.AccountId>,
): Promise<readonly PersonUsage[]> {
  const columns = { createdAt: 'membership.created_at', id: 'account.id' } as const;
  return (await selectPage(people(database, organizationId), request, columns).execute()).map(personOf);
}

export async function findPersonUsage(
  database: Database,
  organizationId: callers.Organization['id'],
  username: string,
): Promise<PersonUsage | null> {
  const row = await people(database, organizationId)
    .where('account.username', '=', username)
    .executeTakeFirst();
  return row === undefined ? null : personOf(row);
}

import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { accounts } from '../../identity/index.ts';
import type { PlatformTokenId } from '../credentials/platform-token.ts';
import type { WrittenPolicy } from '../permissions/policy.ts';
import { authorityChannel } from './authority-channel.ts';

/** The version, and how many shares have ended with the API keys that created them. */
function versionOf(organizationId: accounts.OrganizationId) {
  return sql`coalesce((SELECT version FROM access.organization_permissions
      WHERE organization_id = ${organizationId}), 0) || ' ' || (
    SELECT count(*) FROM access.share WHERE organization_id = ${organizationId} AND via_key_id IS NOT NULL
      AND NOT ${accounts.isOfLiveKey('share.via_key_id')})`;
}

/** All that the policies of a token depend on. */
export async function readPermissionVersion(
  database: Database,
  organizationId: accounts.OrganizationId,
): Promise<string> {
  const { rows } = await sql<{ version: string }>`SELECT ${versionOf(organizationId)} AS version`.execute(
    database,
  );
  return rows[0]?.version ?? '';
}

/**
 * All that the policies of a member depend on besides the role: also how many of their temporary memberships in groups
 * have ended. The time is the database's, so that all processes agree on it.
 */
export async function readMemberVersion(
  database: Database,
  organizationId: accounts.OrganizationId,
  accountId: accounts.AccountId,
): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    SELECT ${versionOf(organizationId)} || ' ' || (
      SELECT count(*) FROM access.group_user
      WHERE organization_id = ${organizationId} AND account_id = ${accountId} AND ends_at <= now()) AS version`.execute(
    database,
  );
  return rows[0]?.version ?? '';
}

/** Of `access.group_user`: a temporary membership that has not ended, or a permanent one. */
export function isCurrentMembership(table: string) {
  return sql<boolean>`(${sql.ref(`${table}.ends_at`)} IS NULL OR ${sql.ref(`${table}.ends_at`)} > now())`;
}

/**
 * Requires the organization's lock, unless permissions are only taken away; notifies every process when the transaction
 * commits.
 */
export async function raisePermissionVersion(
  database: Database,
  organizationId: accounts.OrganizationId,
): Promise<bigint> {
  const { version } = await database
    .insertInto('access.organization_permissions')
    .values({ organization_id: organizationId, version: 1n })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ version: sql`organization_permissions.version + 1` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  await sql`SELECT pg_notify(${authorityChannel}, ${organizationId})`.execute(database);
  return version;
}

/** Requires the organization's lock. Numbers are never reused. */
export async function nextNumber(
  database: Database,
  organizationId: accounts.OrganizationId,
  kind: 'policies' | 'groups',
): Promise<number> {
  const column = `${kind}_numbered` as const;
  const row = await database
    .insertInto('access.organization_permissions')
    .values({ organization_id: organizationId, version: 0n, [column]: 1 })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet({ [column]: sql`organization_permissions.${sql.ref(column)} + 1` }),
    )
    .returning(column)
    .executeTakeFirstOrThrow();
  return row[column];
}

/** The permissions of a member through groups and shares. One statement, so that it reads one snapshot. */
export async function readMemberPolicies(
  database: Database,
  organizationId: accounts.OrganizationId,
  accountId: accounts.AccountId,
): Promise<readonly WrittenPolicy[]> {
  return database
    .selectFrom('access.policy')
    .select(['actions', 'resources'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (ids) =>
      ids
        .selectFrom('access.group_user as member')
        .innerJoin('access.group_policy as granted', (join) =>
          join
            .onRef('granted.organization_id', '=', 'member.organization_id')
            .onRef('granted.group_id', '=', 'member.group_id'),
        )
        .select('granted.policy_id')
        .where('member.organization_id', '=', organizationId)
        .where('member.account_id', '=', accountId)
        .where(isCurrentMembership('member')),
    )
    .unionAll(
      database
        .selectFrom('access.share')
        .select(['actions', 'resources'])
        .where('organization_id', '=', organizationId)
        .where(accounts.isOfLiveKey('via_key_id'))
        .where((where) =>
          where.or([
            where('account_id', '=', accountId),
            where('group_id', 'in', (own) =>
              own
                .selectFrom('access.group_user as own_group')
                .select('group_id')
                .where('organization_id', '=', organizationId)
                .where('account_id', '=', accountId)
                .where(isCurrentMembership('own_group')),
            ),
          ]),
        ),
    )
    .execute();
}

/** The permissions of a token, its own and through groups. */
export async function readTokenPolicies(
  database: Database,
  organizationId: accounts.OrganizationId,
  tokenId: PlatformTokenId,
): Promise<readonly WrittenPolicy[]> {
  return database
    .selectFrom('access.policy')
    .select(['actions', 'resources'])
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('id', 'in', (own) =>
          own
            .selectFrom('access.token_policy')
            .select('policy_id')
            .where('organization_id', '=', organizationId)
            .where('token_id', '=', tokenId),
        ),
        where('id', 'in', (ofGroups) =>
          ofGroups
            .selectFrom('access.token_group as attached')
            .innerJoin('access.group_policy as granted', (join) =>
              join
                .onRef('granted.organization_id', '=', 'attached.organization_id')
                .onRef('granted.group_id', '=', 'attached.group_id'),
            )
            .select('granted.policy_id')
            .where('attached.organization_id', '=', organizationId)
            .where('attached.token_id', '=', tokenId),
        ),
      ]),
    )
    .unionAll(
      database
        .selectFrom('access.share')
        .select(['actions', 'resources'])
        .where('organization_id', '=', organizationId)
        .where(accounts.isOfLiveKey('via_key_id'))
        .where('group_id', 'in', (attached) =>
          attached
            .selectFrom('access.token_group')
            .select('group_id')
            .where('organization_id', '=', organizationId)
            .where('token_id', '=', tokenId),
        ),
    )
    .execute();
}

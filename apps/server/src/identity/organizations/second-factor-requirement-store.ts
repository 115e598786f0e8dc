import type { RawBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { AccountId, OrganizationId } from '../accounts/account.ts';

/**
 * A condition for queries of accounts: a password alone does not sign in. One-time codes are on, or the account has a
 * passkey and no password. `column` is the id of the account.
 */
export function hasAnySecondFactor(column: string): RawBuilder<SqlBool> {
  return sql`(EXISTS (SELECT FROM identity.second_factor AS factor WHERE factor.account_id = ${sql.ref(column)})
    OR EXISTS (
      SELECT FROM identity.passkey AS passkey JOIN identity.account AS holder ON holder.id = passkey.account_id
      WHERE holder.id = ${sql.ref(column)} AND holder.password_hash IS NULL))`;
}

/** The accounts that have a second factor. */
export async function selectWithSecondFactor(
  database: Database,
  ids: readonly AccountId[],
): Promise<ReadonlySet<AccountId>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom('identity.account')
    .select('id')
    .where('id', 'in', [...ids])
    .where(hasAnySecondFactor('account.id'))
    .execute();
  return new Set(rows.map(({ id }) => id as AccountId));
}

export async function countMembersWithoutSecondFactor(
  database: Database,
  organizationId: OrganizationId,
): Promise<number> {
  const { count } = await database
    .selectFrom('identity.organization_membership as member')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('member.organization_id', '=', organizationId)
    .where((where) => where.not(hasAnySecondFactor('member.account_id')))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findSecondFactorRequirement(
  database: Database,
  organizationId: OrganizationId,
): Promise<boolean> {
  const row = await database
    .selectFrom('identity.organization')
    .select('requires_second_factor')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.requires_second_factor === true;
}

/** False if it was required already. */
export async function updateSecondFactorRequirement(
  database: Database,
  organizationId: OrganizationId,
  required: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('identity.organization')
    .set({ requires_second_factor: required })
    .where('id', '=', organizationId)
    .where('requires_second_factor', '!=', required)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

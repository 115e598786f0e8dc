import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';

type OrganizationId = callers.Organization['id'];

export interface Usage {
  readonly usedBytes: number;
  readonly reservedBytes: number;
  readonly quotaBytes: number;
}

/**
 * Asks and takes in one statement, on one row of the organization: however many ask at once, never more is promised than
 * there is. False where it does not fit.
 */
export async function reserveBytes(
  database: Database,
  organizationId: OrganizationId,
  size: number,
  quotaBytes: number,
): Promise<boolean> {
  await database
    .insertInto('storage.usage')
    .values({ organization_id: organizationId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { numUpdatedRows } = await database
    .updateTable('storage.usage')
    .set({ reserved_bytes: sql`reserved_bytes + ${size}::bigint` })
    .where('organization_id', '=', organizationId)
    .where(
      sql<boolean>`used_bytes + reserved_bytes + ${size}::bigint <= coalesce(quota_bytes, ${quotaBytes}::bigint)`,
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** The last statement of a transaction where possible: everyone in the organization waits for this row. */
export async function changeUsage(
  database: Database,
  organizationId: OrganizationId,
  { used = 0, reserved = 0 }: { readonly used?: number; readonly reserved?: number },
): Promise<void> {
  if (used === 0 && reserved === 0) return;
  await database
    .updateTable('storage.usage')
    .set({
      used_bytes: sql`used_bytes + ${used}::bigint`,
      reserved_bytes: sql`reserved_bytes + ${reserved}::bigint`,
    })
    .where('organization_id', '=', organizationId)
    .execute();
}

export async function readUsage(
  database: Database,
  organizationId: OrganizationId,
  quotaBytes: number,
): Promise<Usage> {
  const row = await database
    .selectFrom('storage.usage')
    .select(['used_bytes', 'reserved_bytes', 'quota_bytes'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return {
    usedBytes: Number(row?.used_bytes ?? 0n),
    reservedBytes: Number(row?.reserved_bytes ?? 0n),
    quotaBytes: Number(row?.quota_bytes ?? quotaBytes),
  };
}

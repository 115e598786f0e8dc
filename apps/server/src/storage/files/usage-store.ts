import type { RawBuilder } from 'kysely';
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
 * Part of a larger statement, which checks and reserves on one row of the organization: concurrent requests never
 * reserve more than the quota. Returns no row if it does not fit.
 */
export function takingRoom(
  organizationId: OrganizationId,
  size: number,
  quotaBytes: number,
): RawBuilder<unknown> {
  return sql`
    INSERT INTO storage.usage AS present (organization_id, reserved_bytes)
    SELECT wanted.organization_id, wanted.size
    FROM (VALUES (${organizationId}::uuid, ${size}::bigint, ${quotaBytes}::bigint))
        AS wanted (organization_id, size, quota_bytes)
      LEFT JOIN storage.usage AS own ON own.organization_id = wanted.organization_id
    WHERE wanted.size <= coalesce(own.quota_bytes, wanted.quota_bytes)
    ON CONFLICT (organization_id) DO UPDATE SET reserved_bytes = present.reserved_bytes + excluded.reserved_bytes
    WHERE present.used_bytes + present.reserved_bytes + excluded.reserved_bytes
      <= coalesce(present.quota_bytes, ${quotaBytes}::bigint)
    RETURNING organization_id`;
}

/** Until the transaction ends, no other reservation of the organization is made. Returns its quota. */
export async function lockUsage(
  transaction: Database,
  organizationId: OrganizationId,
  quotaBytes: number,
): Promise<number> {
  await transaction
    .insertInto('storage.usage')
    .values({ organization_id: organizationId })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute();
  const { quota_bytes: own } = await transaction
    .selectFrom('storage.usage')
    .select('quota_bytes')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return Number(own ?? quotaBytes);
}

/** The bytes that an account has uploaded to an organization or reserved in it, without removed ones. */
export async function sumBytesOf(
  database: Database,
  organizationId: OrganizationId,
  accountId: string,
): Promise<number> {
  const { rows } = await sql<{ bytes: bigint }>`
    SELECT coalesce(sum(blob.size), 0)::bigint AS bytes
    FROM storage.upload JOIN storage.project ON project.id = upload.project_id
      JOIN storage.blob ON blob.project_id = upload.project_id AND blob.key = upload.blob_key
    WHERE upload.created_by = ${accountId} AND project.organization_id = ${organizationId}
      AND upload.state <> 'abandoned' AND blob.condemned_at IS NULL`.execute(database);
  return Number(rows[0]?.bytes ?? 0n);
}

/** The last statement of a transaction if possible: all writers of the organization wait for this row. */
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

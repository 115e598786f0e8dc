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

/** Limits of reservations. Percentages are parts of the organization's quota. */
export interface QuotaSettings {
  /** For an organization without its own quota. */
  readonly quotaBytes: number;
  /** What one guest can use. */
  readonly guestQuotaPercent: number;
  /** What all guests together can use. */
  readonly guestsQuotaPercent: number;
  /** What one member can use. Owners and admins can use all. */
  readonly personQuotaPercent: number;
  /** The limit for members and guests: the rest remains for owners and admins. */
  readonly membersQuotaPercent: number;
}

/** The open uploads of one account in all organizations: each is a row for a day. */
const openUploadsMax = 1_000;

/** The quota that does not have enough space left. */
export type ExhaustedQuota = 'organization' | 'project' | 'person' | 'guests' | 'members' | 'uploads';

interface Reservation {
  readonly organization: { readonly id: OrganizationId };
  readonly projectId: string;
  readonly createdBy: string;
}

/**
 * Part of a larger statement, which checks and reserves under the lock of the organization's row: concurrent requests
 * never reserve more than a quota. Null: reserved; otherwise an `ExhaustedQuota`.
 */
export function takingRoom(
  { organization, projectId, createdBy }: Reservation,
  bytes: number,
  settings: QuotaSettings,
  /** The limit of a new upload. */
  uploadsMax = openUploadsMax,
): RawBuilder<ExhaustedQuota | null> {
  return sql<ExhaustedQuota | null>`storage.take_room(${organization.id}::uuid, ${projectId}::uuid,
    ${createdBy}::uuid, ${bytes}::bigint, ${settings.quotaBytes}::bigint, ${settings.guestQuotaPercent}::integer,
    ${settings.guestsQuotaPercent}::integer, ${settings.personQuotaPercent}::integer,
    ${settings.membersQuotaPercent}::integer, ${uploadsMax}::bigint)`;
}

/** In a transaction, for an upload that exists. */
export async function takeRoom(
  transaction: Database,
  reservation: Reservation,
  bytes: number,
  settings: QuotaSettings,
): Promise<ExhaustedQuota | null> {
  const { rows } = await sql<{ exhausted: ExhaustedQuota | null }>`
    SELECT ${takingRoom(reservation, bytes, settings, Number.MAX_SAFE_INTEGER)} AS exhausted`.execute(
    transaction,
  );
  return rows[0]?.exhausted ?? null;
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

import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { changeUsage } from '../files/usage-store.ts';
import type { Upload, UploadId } from './upload.ts';

type OrganizationId = callers.Organization['id'];

/** Bytes have arrived. */
export async function markActive(
  database: Database,
  { id }: Pick<Upload, 'id'>,
  at: EpochMicroseconds,
  { partsArrived }: { readonly partsArrived?: number } = {},
): Promise<void> {
  await database
    .updateTable('storage.upload')
    .set({
      active_at: isoMicroseconds(at),
      ...(partsArrived !== undefined && { parts_arrived: BigInt(partsArrived) }),
    })
    .where('id', '=', id)
    .execute();
}

/** In a transaction that has locked the upload. The usage is not changed. */
export async function saveReserved(
  transaction: Database,
  { projectId, blobKey }: Pick<Upload, 'projectId' | 'blobKey'>,
  bytes: number,
): Promise<void> {
  await transaction
    .updateTable('storage.blob')
    .set({ counted_bytes: BigInt(bytes) })
    .where('project_id', '=', projectId)
    .where('key', '=', blobKey)
    .execute();
}

/** Uploads without bytes since these times are idle. */
export interface IdleTimes {
  readonly since: EpochMicroseconds;
  /** For those with parts in the bucket. */
  readonly partedSince: EpochMicroseconds;
}

/**
 * Shrinks reservations without bytes since then to the bytes that are known to have arrived. Rows of earlier releases,
 * without a count, keep theirs. Returns the number of uploads.
 */
export async function shrinkIdleReservations(
  database: Database,
  { since, partedSince }: IdleTimes,
  { organizationId, rows: rowsMax }: { readonly organizationId?: OrganizationId; readonly rows: number },
): Promise<number> {
  const { rows } = await sql<{ shrunk: number }>`
    WITH idle AS (
      SELECT upload.project_id, upload.blob_key, project.organization_id, ${arrivedBytes} AS arrived,
        blob.counted_bytes - ${arrivedBytes} AS freed
      FROM storage.upload JOIN storage.project ON project.id = upload.project_id
        JOIN storage.blob ON blob.project_id = upload.project_id AND blob.key = upload.blob_key
      WHERE upload.state = 'open' AND coalesce(upload.active_at, upload.created_at)
          <= CASE WHEN ${isParted} THEN ${isoMicroseconds(partedSince)}::timestamptz
             ELSE ${isoMicroseconds(since)}::timestamptz END
        AND blob.counted_bytes > ${arrivedBytes}
        ${organizationId === undefined ? sql`` : sql`AND project.organization_id = ${organizationId}`}
      ORDER BY project.organization_id, upload.id LIMIT ${rowsMax}
      FOR UPDATE OF upload, blob SKIP LOCKED
    ), shrunk AS (
      UPDATE storage.blob SET counted_bytes = idle.arrived FROM idle
      WHERE blob.project_id = idle.project_id AND blob.key = idle.blob_key
      RETURNING blob.key
    ), freed AS (
      UPDATE storage.usage SET reserved_bytes = reserved_bytes - released.bytes
      FROM (SELECT organization_id, sum(freed)::bigint AS bytes FROM idle GROUP BY 1) AS released
      WHERE usage.organization_id = released.organization_id
      RETURNING usage.organization_id
    )
    SELECT (SELECT count(*) FROM shrunk)::integer AS shrunk, (SELECT count(*) FROM freed)::integer AS organizations`.execute(
    database,
  );
  return rows[0]?.shrunk ?? 0;
}

/** In pieces through this server, or in parts as far as the bucket was asked. */
const arrivedBytes = sql<bigint>`coalesce(upload.received, upload.parts_arrived, 0)`;
const isParted = sql<boolean>`(upload.staged_name IS NOT NULL AND upload.received IS NULL)`;

/** Open uploads with parts in the bucket, and none that is known to have arrived since this time. */
export async function selectIdleParted(
  database: Database,
  idleSince: EpochMicroseconds,
  rows: number,
): Promise<readonly UploadId[]> {
  const found = await database
    .selectFrom('storage.upload as upload')
    .innerJoin('storage.blob as blob', (join) =>
      join.onRef('blob.project_id', '=', 'upload.project_id').onRef('blob.key', '=', 'upload.blob_key'),
    )
    .select('upload.id')
    .where('upload.state', '=', 'open')
    .where(isParted)
    .where(sql`coalesce(upload.active_at, upload.created_at)`, '<=', isoMicroseconds(idleSince))
    .where('blob.counted_bytes', '>', arrivedBytes)
    .orderBy('upload.id')
    .limit(rows)
    .execute();
  return found.map(({ id }) => id as UploadId);
}

/** In a transaction that has locked the upload. */
export async function shrinkReservation(
  transaction: Database,
  upload: Upload,
  arrived: number,
): Promise<void> {
  if (arrived >= upload.reserved) return;
  await saveReserved(transaction, upload, arrived);
  await changeUsage(transaction, upload.organization.id, { reserved: arrived - upload.reserved });
}

/**
 * In a transaction. Counts blobs of an earlier release for their project and person; false when none is left. First
 * the row of the organization, as every transaction that counts; blobs that others have locked follow later.
 */
export async function countUncounted(transaction: Database, rows: number): Promise<boolean> {
  const { rows: found } = await sql<{ project_id: string }>`
    SELECT project.id AS project_id FROM storage.blob JOIN storage.project ON project.id = blob.project_id
      JOIN storage.usage ON usage.organization_id = project.organization_id
    WHERE blob.stored_by IS NULL AND blob.condemned_at IS NULL LIMIT 1 FOR UPDATE OF usage`.execute(
    transaction,
  );
  const [project] = found;
  if (project === undefined) return false;
  const { numAffectedRows = 0n } = await sql`
    WITH uncounted AS (
      SELECT project_id, key, size FROM storage.blob
      WHERE project_id = ${project.project_id} AND stored_by IS NULL AND condemned_at IS NULL
      LIMIT ${rows} FOR UPDATE SKIP LOCKED
    )
    UPDATE storage.blob SET counted_bytes = blob.size, stored_by = coalesce(
      (SELECT created_by FROM storage.upload
       WHERE upload.project_id = uncounted.project_id AND upload.blob_key = uncounted.key LIMIT 1),
      (SELECT created_by FROM storage.version
       WHERE version.project_id = uncounted.project_id AND version.blob_key = uncounted.key
       ORDER BY created_at LIMIT 1),
      (SELECT created_by FROM storage.project WHERE id = uncounted.project_id))
    FROM uncounted WHERE blob.project_id = uncounted.project_id AND blob.key = uncounted.key`.execute(
    transaction,
  );
  return numAffectedRows > 0n;
}

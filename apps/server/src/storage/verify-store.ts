import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';

export interface ExpectedBlob {
  readonly key: string;
  readonly size: number;
  /** False while the object may or may not exist: being uploaded, or condemned. */
  readonly isStored: boolean;
}

/** Projects that use the same content have a row each. */
function blobs(database: Database) {
  const isStored = sql<boolean>`bool_or(stored_at IS NOT NULL AND condemned_at IS NULL)`.as('stored');
  return database
    .selectFrom('storage.blob')
    .select(['key', sql<bigint>`max(size)`.as('size'), isStored])
    .groupBy('key');
}

function blobOf(row: Awaited<ReturnType<ReturnType<typeof blobs>['executeTakeFirstOrThrow']>>): ExpectedBlob {
  return { key: row.key, size: Number(row.size), isStored: row.stored };
}

/** Ordered by key, a page at a time. */
export async function selectBlobsAfter(
  database: Database,
  key: string,
  rows: number,
): Promise<readonly ExpectedBlob[]> {
  // Keys are hex digits, which every collation orders like file systems and buckets: the index is used.
  const found = await blobs(database).where('key', '>', key).orderBy('key').limit(rows).execute();
  return found.map(blobOf);
}

export async function findBlob(database: Database, key: string): Promise<ExpectedBlob | null> {
  const row = await blobs(database).where('key', '=', key).executeTakeFirst();
  return row === undefined ? null : blobOf(row);
}

/** Organizations whose usage differs from the sum of their content, in one snapshot. */
export async function selectWrongUsage(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string; used: bigint; kept: bigint; reserved: bigint; waiting: bigint }>`
    WITH kept AS (
      SELECT id, sum(bytes)::bigint AS bytes FROM (
        SELECT project.organization_id AS id, blob.size AS bytes
        FROM storage.blob JOIN storage.project ON project.id = blob.project_id
        WHERE blob.stored_at IS NOT NULL AND blob.condemned_at IS NULL
        UNION ALL
        SELECT organization_id, bytes FROM storage.derived
      ) AS counted GROUP BY 1
    ), waiting AS (
      SELECT project.organization_id AS id, sum(coalesce(blob.counted_bytes, blob.size))::bigint AS bytes
      FROM storage.upload JOIN storage.project ON project.id = upload.project_id
        JOIN storage.blob ON blob.project_id = upload.project_id AND blob.key = upload.blob_key
      WHERE upload.state IN ('open', 'completing') GROUP BY 1
    )
    SELECT organization.key, usage.used_bytes AS used, coalesce(kept.bytes, 0) AS kept,
      usage.reserved_bytes AS reserved, coalesce(waiting.bytes, 0) AS waiting
    FROM storage.usage JOIN identity.organization ON organization.id = usage.organization_id
      LEFT JOIN kept ON kept.id = usage.organization_id
      LEFT JOIN waiting ON waiting.id = usage.organization_id
    WHERE usage.used_bytes <> coalesce(kept.bytes, 0) OR usage.reserved_bytes <> coalesce(waiting.bytes, 0)`.execute(
    database,
  );
  return rows.map(
    ({ key, used, kept, reserved, waiting }) =>
      `${key}: ${used} bytes used, ${kept} kept; ${reserved} reserved, ${waiting} waited for`,
  );
}

/** Projects and persons whose usage differs from the sum of what is counted for them, in one snapshot. */
export async function selectWrongCounts(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ owner: string; bytes: bigint; counted: bigint }>`
    WITH counted AS (
      SELECT blob.project_id, project.organization_id, blob.stored_by, sum(blob.counted_bytes)::bigint AS bytes
      FROM storage.blob JOIN storage.project ON project.id = blob.project_id
      WHERE blob.condemned_at IS NULL AND blob.counted_bytes IS NOT NULL GROUP BY 1, 2, 3
    ), of_project AS (SELECT project_id, sum(bytes)::bigint AS bytes FROM counted GROUP BY 1), of_person AS (
      SELECT organization_id, stored_by AS account_id, sum(bytes)::bigint AS bytes FROM counted GROUP BY 1, 2
    )
    SELECT 'project ' || project_id AS owner, coalesce(usage.bytes, 0) AS bytes, coalesce(found.bytes, 0) AS counted
    FROM storage.project_usage AS usage FULL JOIN of_project AS found USING (project_id)
    WHERE coalesce(usage.bytes, 0) <> coalesce(found.bytes, 0)
    UNION ALL
    SELECT 'account ' || account_id, coalesce(usage.bytes, 0), coalesce(found.bytes, 0)
    FROM storage.person_usage AS usage FULL JOIN of_person AS found USING (organization_id, account_id)
    WHERE coalesce(usage.bytes, 0) <> coalesce(found.bytes, 0)`.execute(database);
  return rows.map(({ owner, bytes, counted }) => `${owner}: ${bytes} bytes, ${counted} counted`);
}

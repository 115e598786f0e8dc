import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { ProjectId } from '../projects/project.ts';

type OrganizationId = callers.Organization['id'];

/** Content that a worker reads to derive its text. */
export interface DueContent {
  readonly key: string;
  readonly organizationId: OrganizationId;
  /** The number of failed attempts. */
  readonly tries: number;
}

/** Content that everyone with permission can read, and that a scanner has read completely if one is configured. */
const isDerivable = (blob: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${blob}.stored_at`)} IS NOT NULL AND ${sql.ref(`${blob}.condemned_at`)} IS NULL
    AND ${sql.ref(`${blob}.scan_state`)} IN ('clean', 'unscanned')`;

/** Queues content once, however often it is inspected, copied or moved. */
export async function queueDerivations(
  database: Database,
  { projectId, keys }: { readonly projectId: ProjectId; readonly keys: readonly string[] },
  now: EpochMicroseconds,
): Promise<void> {
  await sql`
    INSERT INTO storage.derived (key, organization_id, due_at)
    SELECT blob.key, project.organization_id, ${toTimestamptz(now)}
    FROM storage.blob JOIN storage.project ON project.id = blob.project_id
    WHERE blob.project_id = ${projectId} AND blob.key = ANY (${[...keys]}) AND ${isDerivable('blob')}
      AND blob.inspection_due_at IS NULL
    ORDER BY blob.key
    ON CONFLICT (key) DO NOTHING`.execute(database);
}

/** Of content that must not be read any more. */
export async function forgetDerived(database: Database, key: string): Promise<void> {
  await database.deleteFrom('storage.derived').where('key', '=', key).execute();
}

/** Queues content of earlier releases, some rows at a time. Returns how many rows were read; 0: none is left. */
export async function queueEarlierContent(
  transaction: Database,
  now: EpochMicroseconds,
  rows: number,
): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    WITH progress AS (
      SELECT after_key FROM storage.derivation_progress WHERE after_key IS NOT NULL FOR UPDATE
    ), page AS (
      SELECT blob.project_id, blob.key, ${isDerivable('blob')} AND blob.inspection_due_at IS NULL AS derivable
      FROM progress CROSS JOIN LATERAL (
        SELECT * FROM storage.blob WHERE blob.key > progress.after_key ORDER BY blob.key LIMIT ${rows}
      ) AS blob
    ), queued AS (
      INSERT INTO storage.derived (key, organization_id, due_at)
      SELECT DISTINCT page.key, project.organization_id, ${toTimestamptz(now)}::timestamptz
      FROM page JOIN storage.project ON project.id = page.project_id WHERE page.derivable
      ORDER BY page.key
      ON CONFLICT (key) DO NOTHING
    ), advanced AS (
      UPDATE storage.derivation_progress SET after_key = (SELECT max(key) FROM page)
      WHERE EXISTS (SELECT FROM progress)
    )
    SELECT count(*)::integer AS count FROM page`.execute(transaction);
  return found[0]?.count ?? 0;
}

/**
 * Claims the oldest due content of the next organization after this one that has any; null: of the first one. If the
 * process dies, others can claim it when the lease has expired.
 */
export async function claimDueContent(
  database: Database,
  {
    now,
    leaseMs,
    after,
  }: {
    readonly now: EpochMicroseconds;
    readonly leaseMs: number;
    readonly after: OrganizationId | null;
  },
): Promise<DueContent | null> {
  const isLater = after === null ? sql`` : sql`AND organization_id > ${after}`;
  const { rows } = await sql<{ key: string; organization_id: OrganizationId; tries: number }>`
    WITH next AS (
      SELECT key FROM storage.derived WHERE due_at <= ${toTimestamptz(now)} ${isLater}
      ORDER BY organization_id, due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE storage.derived SET due_at = ${toTimestamptz(addMs(now, leaseMs))}
    FROM next WHERE derived.key = next.key
    RETURNING derived.key, organization_id, tries`.execute(database);
  const [row] = rows;
  return row === undefined ? null : { key: row.key, organizationId: row.organization_id, tries: row.tries };
}

/** The content with the name and type of the file that had it first. */
export interface DerivableContent {
  readonly size: number;
  readonly detectedMediaType: string | null;
  readonly mediaType: string;
  readonly name: string;
}

/** Null if it must not be read now: condemned, or with another scan state. */
export async function findDerivable(database: Database, key: string): Promise<DerivableContent | null> {
  const { rows } = await sql<Omit<DerivableContent, 'size'> & { readonly size: bigint }>`
    SELECT blob.size, blob.detected_media_type AS "detectedMediaType", version.media_type AS "mediaType", entry.name
    FROM storage.blob
      JOIN storage.version ON version.project_id = blob.project_id AND version.blob_key = blob.key
      JOIN storage.entry ON entry.project_id = version.project_id AND entry.id = version.file_id
    WHERE blob.key = ${key} AND ${isDerivable('blob')}
    ORDER BY version.created_at, version.id LIMIT 1`.execute(database);
  const [row] = rows;
  return row === undefined ? null : { ...row, size: Number(row.size) };
}

/** Marks the derivation as finished. */
export async function finishDerivation(database: Database, key: string, fault: string | null): Promise<void> {
  await database
    .updateTable('storage.derived')
    .set({ due_at: null, fault: fault === null ? null : fault.slice(0, 200) })
    .where('key', '=', key)
    .execute();
}

export async function postponeDerivation(
  database: Database,
  { key }: DueContent,
  later: { readonly dueAt: EpochMicroseconds; readonly tries: number },
): Promise<void> {
  await database
    .updateTable('storage.derived')
    .set({ due_at: toTimestamptz(later.dueAt), tries: later.tries })
    .where('key', '=', key)
    .where('due_at', 'is not', null)
    .execute();
}

/** Also what waits for a sandbox, for space or for another try. */
export async function countUnreadContents(database: Database): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::integer AS unread FROM storage.derived WHERE due_at IS NOT NULL`.execute(database);
  return rows[0]?.unread ?? 0;
}

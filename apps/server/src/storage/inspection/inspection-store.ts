import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { ScanResult } from './clamd-scanner.ts';

/** A blob to inspect. */
export interface DueBlob {
  readonly projectId: ProjectId;
  readonly key: string;
  readonly size: number;
  /** False until its hash is known. */
  readonly isHashed: boolean;
  /** The number of failed attempts. */
  readonly tries: number;
  /** By an earlier scan. */
  readonly isInfected: boolean;
}

/**
 * Claims the blob of the next project after this one that has been due longest; null: of the first project. If the process
 * dies, others can claim it when the lease has expired.
 */
export async function claimDueBlob(
  database: Database,
  {
    now,
    leaseMs,
    after,
  }: { readonly now: EpochMicroseconds; readonly leaseMs: number; readonly after: ProjectId | null },
): Promise<DueBlob | null> {
  const isLater = after === null ? sql`` : sql`AND project_id > ${after}`;
  const { rows } = await sql<{
    project_id: ProjectId;
    key: string;
    size: bigint;
    hashed: boolean;
    tries: number;
    infected: boolean;
  }>`
    WITH next AS (
      SELECT project_id, key FROM storage.blob
      WHERE inspection_due_at <= ${toTimestamptz(now)} AND stored_at IS NOT NULL AND condemned_at IS NULL
        ${isLater}
      ORDER BY project_id, inspection_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE storage.blob SET inspection_due_at = ${toTimestamptz(addMs(now, leaseMs))}
    FROM next WHERE blob.project_id = next.project_id AND blob.key = next.key
    RETURNING blob.project_id, blob.key, blob.size, blob.sha256 IS NOT NULL AS hashed,
      blob.inspection_tries AS tries, blob.scan_state = 'infected' AS infected`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { project_id: projectId, key, size, hashed: isHashed, tries, infected: isInfected } = row;
  return { projectId, key, size: Number(size), isHashed, tries, isInfected };
}

function blobs(database: Database, { projectId, key }: Pick<DueBlob, 'projectId' | 'key'>) {
  return database.updateTable('storage.blob').where('project_id', '=', projectId).where('key', '=', key);
}

/** Marks the inspection as finished. False if it was finished already. */
export async function saveScanned(
  database: Database,
  blob: DueBlob,
  mediaType: string,
  result: ScanResult,
  now: EpochMicroseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await blobs(database, blob)
    .where('inspection_due_at', 'is not', null)
    .set({
      detected_media_type: mediaType,
      scan_state: result.state,
      scan_finding: result.state === 'clean' ? null : result.finding,
      scanned_at: toTimestamptz(now),
      inspection_due_at: null,
    })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Infected content must not stay readable in another project that has scanned it earlier, or not yet. Returns the
 * projects where it was not known as infected.
 */
export async function spreadInfection(
  database: Database,
  { projectId, key }: DueBlob,
  finding: string,
  now: EpochMicroseconds,
): Promise<readonly ProjectId[]> {
  const rows = await database
    .updateTable('storage.blob')
    .set({
      scan_state: 'infected',
      scan_finding: finding,
      scanned_at: toTimestamptz(now),
      inspection_due_at: null,
    })
    .where('key', '=', key)
    .where('project_id', '<>', projectId)
    .where('scan_state', '<>', 'infected')
    .where('stored_at', 'is not', null)
    .returning('project_id')
    .execute();
  return rows.map(({ project_id: id }) => id as ProjectId);
}

/** Returns when the version last changed. */
export async function saveScannerVersion(
  database: Database,
  version: string,
  now: EpochMicroseconds,
): Promise<EpochMicroseconds> {
  const { rows } = await sql<{ changed_at: string }>`
    INSERT INTO storage.scanner AS present (version, changed_at) VALUES (${version}, ${toTimestamptz(now)})
    ON CONFLICT (only_row) DO UPDATE SET version = excluded.version, changed_at =
      CASE WHEN present.version = excluded.version THEN present.changed_at ELSE excluded.changed_at END
    RETURNING changed_at`.execute(database);
  return fromTimestamptz(rows[0]?.changed_at ?? toTimestamptz(now));
}

/** Content that was scanned before the change, or never, is due again. Returns how many. */
export async function requeueScanned(
  database: Database,
  again: { readonly changedAt: EpochMicroseconds; readonly now: EpochMicroseconds; readonly rows: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    WITH outdated AS (
      SELECT project_id, key FROM storage.blob
      WHERE inspection_due_at IS NULL AND stored_at IS NOT NULL AND condemned_at IS NULL
        AND (scanned_at IS NULL OR scanned_at < ${toTimestamptz(again.changedAt)})
      ORDER BY scanned_at NULLS FIRST LIMIT ${again.rows} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE storage.blob SET inspection_due_at = ${toTimestamptz(again.now)}, inspection_tries = 0
    FROM outdated WHERE blob.project_id = outdated.project_id AND blob.key = outdated.key`.execute(database);
  return Number(numAffectedRows);
}

/** Without a scanner; blobs that wait for one keep waiting. */
export async function saveUnscanned(
  database: Database,
  blob: DueBlob,
  mediaType: string,
  dueAt: EpochMicroseconds,
): Promise<void> {
  await blobs(database, blob)
    .set({
      detected_media_type: mediaType,
      inspection_due_at: sql<string>`CASE scan_state WHEN 'waiting' THEN ${toTimestamptz(dueAt)}::timestamptz END`,
    })
    .execute();
}

export async function postponeInspection(
  database: Database,
  blob: DueBlob,
  later: { readonly dueAt: EpochMicroseconds; readonly tries: number },
): Promise<void> {
  await blobs(database, blob)
    .where('inspection_due_at', 'is not', null)
    .set({ inspection_due_at: toTimestamptz(later.dueAt), inspection_tries: later.tries })
    .execute();
}

/** One version that refers to a blob. */
export interface BlobReference {
  readonly fileId: EntryId;
  readonly name: string;
  readonly version: number;
  readonly storedBy: accounts.AccountId;
  readonly organizationId: accounts.OrganizationId;
}

export async function selectReferences(
  database: Database,
  { projectId, key }: Pick<DueBlob, 'projectId' | 'key'>,
): Promise<readonly BlobReference[]> {
  const { rows } = await sql<BlobReference>`
    SELECT version.file_id AS "fileId", entry.name, version.number AS version, version.created_by AS "storedBy",
      project.organization_id AS "organizationId"
    FROM storage.version
      JOIN storage.entry ON entry.project_id = version.project_id AND entry.id = version.file_id
      JOIN storage.project ON project.id = version.project_id
    WHERE version.project_id = ${projectId} AND version.blob_key = ${key}
    ORDER BY version.created_at, version.id`.execute(database);
  return rows;
}

export async function countDueInspections(database: Database): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    SELECT count(*)::integer AS due FROM storage.blob
    WHERE inspection_due_at <= now() AND stored_at IS NOT NULL AND condemned_at IS NULL`.execute(database);
  return rows[0]?.due ?? 0;
}

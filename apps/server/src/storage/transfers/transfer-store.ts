import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { savepoint } from '../../foundation/database/savepoint.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { queueDerivations } from '../derived/derivation-store.ts';
import type { EntryName } from '../entry-name.ts';
import { foldName } from '../entry-name.ts';
import { underFreeName } from '../folders/entry-store.ts';
import type { EntryId, FileContent, IfTaken } from '../folders/entry.ts';
import { lockTree, shareTree } from '../projects/project-store.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';

export interface BetweenProjects {
  readonly from: ProjectId;
  readonly to: ProjectId;
}

/** In the order of ids, as every transaction that locks two projects. */
export async function lockTrees(
  transaction: Transaction<DB>,
  { from, to }: BetweenProjects,
  mode: 'alone' | 'shared',
): Promise<void> {
  for (const id of [...new Set([from, to])].sort())
    await (mode === 'alone' ? lockTree : shareTree)(transaction, id);
}

/** A live entry below a folder, or the folder itself. */
export interface TransferredEntry {
  readonly id: EntryId;
  readonly parentId: EntryId | null;
  readonly kind: EntryKind;
  readonly versions: number;
}

/** An entry and all live entries below it; at most this many. */
export async function selectLiveTree(
  database: Database,
  projectId: ProjectId,
  root: EntryId,
  limit: number,
): Promise<readonly TransferredEntry[]> {
  const { rows } = await sql<TransferredEntry>`
    WITH RECURSIVE tree AS (
      SELECT id, parent_id, kind FROM storage.entry WHERE project_id = ${projectId} AND id = ${root}
      UNION ALL
      SELECT entry.id, entry.parent_id, entry.kind
      FROM tree CROSS JOIN LATERAL (
        SELECT id, parent_id, kind FROM storage.entry
        WHERE project_id = ${projectId} AND parent_id = tree.id AND trashed_at IS NULL OFFSET 0
      ) AS entry
    )
    SELECT id, parent_id AS "parentId", kind, (
      SELECT count(*)::integer FROM storage.version WHERE project_id = ${projectId} AND file_id = tree.id
    ) AS versions FROM tree LIMIT ${limit}`.execute(database);
  return rows;
}

/** The contents of these files, current and earlier. Their versions are locked: none of them can be condemned. */
export async function lockVersions(
  database: Database,
  projectId: ProjectId,
  files: readonly EntryId[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    SELECT blob_key AS key FROM storage.version
    WHERE project_id = ${projectId} AND file_id = ANY (${[...files]}::uuid[])
    ORDER BY file_id, number FOR UPDATE`.execute(database);
  return [...new Set(rows.map(({ key }) => key))].sort();
}

/** Not condemned until the transaction ends. False if one of them is condemned, or missing. */
export async function holdBlobs(
  database: Database,
  projectId: ProjectId,
  keys: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT key FROM storage.blob WHERE project_id = ${projectId} AND key = ANY (${[...keys]})
      AND condemned_at IS NULL ORDER BY key FOR SHARE`.execute(database);
  return rows.length === new Set(keys).size;
}

/**
 * Gives the other project a row for each content; the bytes stay where they are. Returns the bytes that the project did
 * not have. The caller holds the contents of the source.
 */
export async function adoptBlobs(
  database: Database,
  { from, to }: BetweenProjects,
  keys: readonly string[],
  /** Null: it counts for the account that it counted for. */
  countedFor: { readonly storedBy: string | null; readonly else: string },
  now: EpochMicroseconds,
): Promise<number> {
  // A row that the project condemned returns, with the scan state that the content has now.
  const revived = await sql<{ size: bigint }>`
    UPDATE storage.blob SET condemned_at = NULL, sha256 = source.sha256, scan_state = source.scan_state,
      scan_finding = source.scan_finding, scanned_at = source.scanned_at,
      detected_media_type = source.detected_media_type, inspection_due_at = source.inspection_due_at,
      counted_bytes = source.size,
      stored_by = coalesce(${countedFor.storedBy}::uuid, source.stored_by, ${countedFor.else}::uuid)
    FROM storage.blob AS source
    WHERE source.project_id = ${from} AND source.key = blob.key AND blob.project_id = ${to}
      AND blob.key = ANY (${[...keys]}) AND blob.condemned_at IS NOT NULL RETURNING blob.size`.execute(
    database,
  );
  const inserted = await sql<{ size: bigint }>`
    INSERT INTO storage.blob (project_id, key, size, sha256, created_at, stored_at, detected_media_type, scan_state,
      scan_finding, scanned_at, inspection_due_at, stored_by, counted_bytes)
    SELECT ${to}::uuid, key, size, sha256, ${isoMicroseconds(now)}::timestamptz, stored_at, detected_media_type,
      scan_state, scan_finding, scanned_at, inspection_due_at,
      coalesce(${countedFor.storedBy}::uuid, stored_by, ${countedFor.else}::uuid), size
    FROM storage.blob WHERE project_id = ${from} AND key = ANY (${[...keys]}) AND stored_at IS NOT NULL ORDER BY key
    ON CONFLICT (project_id, key) DO NOTHING RETURNING size`.execute(database);
  // Infected content must not become readable because the other project scanned it earlier.
  await sql`
    UPDATE storage.blob SET scan_state = source.scan_state, scan_finding = source.scan_finding
    FROM storage.blob AS source
    WHERE source.project_id = ${from} AND source.key = blob.key AND blob.project_id = ${to}
      AND blob.key = ANY (${[...keys]}) AND source.scan_state = 'infected'
      AND blob.scan_state <> 'infected'`.execute(database);
  // What was derived from a row that returns has been deleted.
  await queueDerivations(database, { projectId: to, keys }, now);
  return [...revived.rows, ...inserted.rows].reduce((sum, { size }) => sum + Number(size), 0);
}

/** Whether this many more bytes exceed the quota of a project. The usage of its organization is locked. */
export async function exceedsProjectQuota(
  database: Database,
  projectId: ProjectId,
  bytes: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM storage.project_usage WHERE project_id = ${projectId} AND bytes + ${bytes}::bigint > quota_bytes`.execute(
    database,
  );
  return rows.length > 0;
}

export interface NewEntry {
  readonly id: EntryId;
  readonly parentId: EntryId;
  readonly name: EntryName;
  /** Null: a folder. */
  readonly content: Pick<FileContent, 'blobKey' | 'mediaType'> | null;
  readonly versionId: string;
}

/** The copied entries below a folder, each file with its first version. */
export async function insertTree(
  database: Database,
  projectId: ProjectId,
  entries: readonly NewEntry[],
  { createdBy, at }: { readonly createdBy: string; readonly at: EpochMicroseconds },
): Promise<void> {
  if (entries.length === 0) return;
  const time = sql`${isoMicroseconds(at)}::timestamptz`;
  await sql`
    WITH copied AS (
      SELECT * FROM unnest(
        ${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ parentId }) => parentId)}::uuid[],
        ${entries.map(({ name }) => name)}::text[], ${entries.map(({ name }) => foldName(name))}::text[],
        ${entries.map(({ content }) => content?.blobKey ?? null)}::text[],
        ${entries.map(({ content }) => content?.mediaType ?? null)}::text[],
        ${entries.map(({ versionId }) => versionId)}::uuid[]
      ) AS entry (id, parent_id, name, folded_name, blob_key, media_type, version_id)
    ), entered AS (
      INSERT INTO storage.entry (project_id, id, parent_id, kind, name, folded_name, version, created_by, created_at,
        updated_at)
      SELECT ${projectId}::uuid, id, parent_id, CASE WHEN blob_key IS NULL THEN 'folder' ELSE 'file' END, name,
        folded_name, CASE WHEN blob_key IS NOT NULL THEN 1 END, ${createdBy}::uuid, ${time}, ${time} FROM copied
    )
    INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
    SELECT ${projectId}::uuid, id, 1, version_id, blob_key, media_type, ${createdBy}::uuid, ${time}
    FROM copied WHERE blob_key IS NOT NULL`.execute(database);
}

interface MoveTarget {
  readonly folderId: EntryId | null;
  readonly name: EntryName;
  readonly ifTaken: IfTaken;
  readonly at: EpochMicroseconds;
}

/**
 * Gives entries and their versions to another project, in one statement, because rows of both tables refer to each
 * other. Deleted entries below them stay in the trash of their project, in the folder that contained the root.
 */
export async function moveTree(
  transaction: Transaction<DB>,
  { from, to }: BetweenProjects,
  root: { readonly id: EntryId; readonly parentId: EntryId | null },
  target: MoveTarget,
  ids: readonly EntryId[],
): Promise<void> {
  await sql`
    UPDATE storage.entry SET parent_id = ${root.parentId}::uuid
    WHERE project_id = ${from} AND parent_id = ANY (${[...ids]}::uuid[]) AND trashed_at IS NOT NULL`.execute(
    transaction,
  );
  const links = transaction.deleteFrom('storage.link').where('project_id', '=', from);
  await links.where(sql<boolean>`entry_id = ANY (${[...ids]}::uuid[])`).execute();
  await underFreeName(target.name, target.ifTaken, async (name) => {
    const undo = await savepoint(transaction);
    try {
      await giveTree(transaction, { from, to }, root.id, { ...target, name }, ids);
      return true;
    } catch (error) {
      if (violatedConstraint(error) !== 'entry_live_name') throw error;
      await undo();
      return false;
    }
  });
}

async function giveTree(
  transaction: Transaction<DB>,
  { from, to }: BetweenProjects,
  root: EntryId,
  target: MoveTarget,
  ids: readonly EntryId[],
): Promise<void> {
  await sql`
    WITH versions AS (
      UPDATE storage.version SET project_id = ${to}
      WHERE project_id = ${from} AND file_id = ANY (${[...ids]}::uuid[])
    )
    UPDATE storage.entry SET project_id = ${to},
      parent_id = CASE WHEN id = ${root} THEN ${target.folderId}::uuid ELSE parent_id END,
      name = CASE WHEN id = ${root} THEN ${target.name} ELSE name END,
      folded_name = CASE WHEN id = ${root} THEN ${foldName(target.name)} ELSE folded_name END,
      updated_at = CASE WHEN id = ${root} THEN ${isoMicroseconds(target.at)}::timestamptz ELSE updated_at END
    WHERE project_id = ${from} AND id = ANY (${[...ids]}::uuid[])`.execute(transaction);
}

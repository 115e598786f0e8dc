import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { EntryId } from '../folders/entry.ts';
import { purgedMark } from '../folders/entry.ts';
import type { Project, ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import { wasReplacedBefore } from './version-store.ts';

/** An expired entry of the trash: an entry, or everything in a project. */
export type Expired = { readonly projectId: ProjectId } & (
  | { readonly entryId: EntryId; readonly kind: EntryKind }
  | { readonly entryId: null; readonly kind: 'project' }
);

export async function selectExpiredTrash(
  database: Database,
  before: EpochMicroseconds,
  rows: number,
): Promise<readonly Expired[]> {
  const found = await sql<Expired>`
    (SELECT project_id AS "projectId", id AS "entryId", kind
     FROM storage.entry WHERE trashed_at <= ${isoMicroseconds(before)}
     ORDER BY trashed_at LIMIT ${rows})
    UNION ALL
    (SELECT project.id, NULL, 'project' FROM storage.project WHERE trashed_at <= ${isoMicroseconds(before)}
      AND EXISTS (SELECT FROM storage.entry WHERE project_id = project.id)
     ORDER BY trashed_at LIMIT ${rows})`.execute(database);
  return found.rows;
}

/**
 * Those of the entries that are still in the trash since before this time, from now on with the mark of a purge: a
 * concurrent restore either comes first, or finds nothing.
 */
export async function markPurged(
  transaction: Database,
  projectId: ProjectId,
  ids: readonly EntryId[],
  before: EpochMicroseconds,
): Promise<readonly EntryId[]> {
  const { rows } = await sql<{ id: EntryId }>`
    WITH expired AS (
      SELECT id, trashed_at FROM storage.entry
      WHERE project_id = ${projectId} AND id = ANY (${[...ids]}) AND trashed_at <= ${isoMicroseconds(before)}
    ), marked AS (
      UPDATE storage.entry SET trashed_at = ${isoMicroseconds(purgedMark)} FROM expired
      WHERE entry.project_id = ${projectId} AND entry.id = expired.id
        AND expired.trashed_at > ${isoMicroseconds(purgedMark)}
    )
    SELECT id FROM expired`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** The same for a project and everything in it. */
export async function markProjectPurged(
  transaction: Database,
  projectId: ProjectId,
  before: EpochMicroseconds,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('storage.project')
    .set({ trashed_at: isoMicroseconds(purgedMark) })
    .where('id', '=', projectId)
    .where('trashed_at', '<=', isoMicroseconds(before))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** An innermost folder below, which contains only files; the entry itself if it is one, or a file. */
export async function findInnermost(
  database: Database,
  { projectId, entryId }: Expired,
): Promise<EntryId | null> {
  const below = (place: RawBuilder<unknown>) => sql`(
    SELECT id FROM storage.entry WHERE project_id = ${projectId} AND kind = 'folder' AND parent_id ${place} LIMIT 1)`;
  const { rows } = await sql<{ id: EntryId }>`
    WITH RECURSIVE way AS (
      SELECT ${entryId === null ? below(sql`IS NULL`) : sql`${entryId}::uuid`} AS id, 0 AS depth
      UNION ALL
      SELECT ${below(sql`= way.id`)}, way.depth + 1 FROM way WHERE way.id IS NOT NULL
    )
    SELECT id FROM way WHERE id IS NOT NULL ORDER BY depth DESC LIMIT 1`.execute(database);
  return rows[0]?.id ?? null;
}

/** Of a folder; with null, of the project itself. */
export async function selectFilesIn(
  database: Database,
  projectId: ProjectId,
  parentId: EntryId | null,
  rows: number,
): Promise<readonly EntryId[]> {
  const found = await database
    .selectFrom('storage.entry')
    .select('id')
    .where('project_id', '=', projectId)
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('kind', '=', 'file')
    .limit(rows)
    .execute();
  return found.map(({ id }) => id as EntryId);
}

export async function deleteEntries(
  database: Database,
  projectId: ProjectId,
  ids: readonly EntryId[],
): Promise<void> {
  await database
    .deleteFrom('storage.entry')
    .where('project_id', '=', projectId)
    .where('id', 'in', [...ids])
    .execute();
}

export async function findOrganizationOf(
  database: Database,
  projectId: ProjectId,
): Promise<callers.Organization['id']> {
  const { organization_id: id } = await database
    .selectFrom('storage.project')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return id as callers.Organization['id'];
}

/** Files with versions that were replaced before this, with the newest such number. */
export async function selectOldVersions(
  database: Database,
  before: EpochMicroseconds,
  rows: number,
): Promise<readonly { readonly projectId: ProjectId; readonly fileId: EntryId; readonly number: number }[]> {
  const found = await sql<{ project_id: ProjectId; file_id: EntryId; number: number }>`
    SELECT version.project_id, version.file_id, max(version.number)::int AS number
    FROM storage.version
    WHERE version.created_at < ${isoMicroseconds(before)} AND ${wasReplacedBefore(before)}
    GROUP BY 1, 2 LIMIT ${rows}`.execute(database);
  return found.rows.map((row) => ({ projectId: row.project_id, fileId: row.file_id, number: row.number }));
}

export interface CondemnedBlob {
  readonly projectId: ProjectId;
  readonly key: string;
}

export async function selectCondemned(
  database: Database,
  before: EpochMicroseconds,
  rows: number,
): Promise<readonly CondemnedBlob[]> {
  const found = await database
    .selectFrom('storage.blob')
    .select(['project_id', 'key'])
    .where('condemned_at', '<=', isoMicroseconds(before))
    .orderBy('condemned_at')
    .limit(rows)
    .execute();
  return found.map(({ project_id: projectId, key }) => ({ projectId: projectId as ProjectId, key }));
}

/** Whether its bytes are being removed, or have been. */
export async function isGarbage(
  database: Database,
  key: string,
  before: EpochMicroseconds,
): Promise<boolean> {
  const kept = await database
    .selectFrom('storage.blob')
    .select('key')
    .where('key', '=', key)
    .where((blob) => blob('condemned_at', 'is', null).or('condemned_at', '>', isoMicroseconds(before)))
    .executeTakeFirst();
  return kept === undefined;
}

/** Whether another project has a row with this key, so that the bytes remain. */
export async function isUsedElsewhere(
  database: Database,
  { projectId, key }: CondemnedBlob,
): Promise<boolean> {
  const other = await database
    .selectFrom('storage.blob')
    .select('key')
    .where('key', '=', key)
    .where('project_id', '<>', projectId)
    .where('condemned_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
}

/** Rows that were condemned while another project used the content. */
export async function selectShadowed(database: Database, rows: number): Promise<readonly CondemnedBlob[]> {
  const { rows: found } = await sql<CondemnedBlob>`
    SELECT project_id AS "projectId", key FROM storage.blob WHERE condemned_at = 'infinity' LIMIT ${rows}`.execute(
    database,
  );
  return found;
}

/**
 * Deletes a row whose key other projects have; the last one is condemned from now on. The rows of a key are locked in
 * one order, so that two processes never delete the last two.
 */
export async function closeShadowed(
  transaction: Database,
  { projectId, key }: CondemnedBlob,
  now: EpochMicroseconds,
): Promise<void> {
  const { rows } = await sql<{ project_id: ProjectId; shadowed: boolean }>`
    SELECT project_id, coalesce(condemned_at = 'infinity', false) AS shadowed FROM storage.blob WHERE key = ${key}
    ORDER BY project_id FOR UPDATE`.execute(transaction);
  if (!rows.some((row) => row.project_id === projectId && row.shadowed)) return;
  if (rows.length > 1) return closeBlob(transaction, { projectId, key });
  await sql`
    UPDATE storage.blob SET condemned_at = ${isoMicroseconds(now)}
    WHERE project_id = ${projectId} AND key = ${key}`.execute(transaction);
}

/** Deletes the row, after the bytes are removed. A row that refers to content again stays. */
export async function closeBlob(database: Database, { projectId, key }: CondemnedBlob): Promise<void> {
  const held = await database
    .selectFrom('storage.blob')
    .select('key')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .where('condemned_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (held === undefined) return;
  await database
    .deleteFrom('storage.upload')
    .where('project_id', '=', projectId)
    .where('blob_key', '=', key)
    .execute();
  await database
    .deleteFrom('storage.blob')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .execute();
}

export async function deleteEmptyProjects(
  database: Database,
  before: EpochMicroseconds,
): Promise<readonly Pick<Project, 'id' | 'organization'>[]> {
  const { rows } = await sql<{ id: ProjectId; organization_id: callers.Organization['id']; key: string }>`
    DELETE FROM storage.project USING identity.organization
    WHERE organization.id = project.organization_id AND trashed_at <= ${isoMicroseconds(before)}
      AND NOT EXISTS (SELECT FROM storage.entry WHERE project_id = project.id)
      AND NOT EXISTS (SELECT FROM storage.upload WHERE project_id = project.id)
      AND NOT EXISTS (SELECT FROM storage.blob WHERE project_id = project.id)
    RETURNING project.id, organization_id, organization.key`.execute(database);
  return rows.map(({ id, organization_id: organizationId, key }) => ({
    id,
    organization: { id: organizationId, key },
  }));
}

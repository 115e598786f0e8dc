import type { RawBuilder, Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import { findEntries } from '../folders/entry-store.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import { purgedMark } from '../folders/entry.ts';
import { lineAbove } from '../folders/line-above.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';

/**
 * The roots of deleted subtrees that can still be restored, newest first. Without those in a purged folder: they are
 * removed with it.
 */
export async function selectTrash(
  database: Database,
  projectId: ProjectId,
  since: EpochMicroseconds,
  request: PageRequest<EntryId>,
): Promise<readonly Entry[]> {
  const query = database
    .selectFrom('storage.entry as entry')
    .select('entry.id')
    .where('entry.project_id', '=', projectId)
    .where('entry.trashed_at', '>', isoMicroseconds(since))
    .where(liesInNothingPurged(projectId));
  const columns = { createdAt: 'entry.trashed_at', id: 'entry.id' } as const;
  const rows = await selectPage(query, request, columns).execute();
  return findEntries(
    database,
    projectId,
    rows.map(({ id }) => id as EntryId),
  );
}

function liesInNothingPurged(projectId: ProjectId): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (
    WITH RECURSIVE line AS (
      SELECT above.parent_id, above.trashed_at
      FROM storage.entry above WHERE above.project_id = ${projectId} AND above.id = entry.parent_id
      UNION ALL
      SELECT above.parent_id, above.trashed_at
      FROM ${lineAbove(projectId)}
    )
    SELECT FROM line WHERE trashed_at = ${isoMicroseconds(purgedMark)}
  )`;
}

/** The number of folders and files in the trash, up to the limit, and the bytes that only these refer to. */
export async function measureTrash(
  database: Database,
  projectId: ProjectId,
  since: EpochMicroseconds,
  entriesMax: number,
): Promise<{ readonly entries: number; readonly bytes: number }> {
  const { rows } = await sql<{ entries: number; bytes: bigint }>`
    WITH RECURSIVE tree AS (
      SELECT id FROM storage.entry
      WHERE project_id = ${projectId} AND trashed_at > ${isoMicroseconds(since)} AND ${liesInNothingPurged(projectId)}
      -- Not ALL: what was deleted before the folder it lies in is met twice.
      UNION
      SELECT below.id FROM tree CROSS JOIN LATERAL (
        SELECT id FROM storage.entry WHERE project_id = ${projectId} AND parent_id = tree.id OFFSET 0
      ) AS below
    ), trashed AS MATERIALIZED (
      SELECT id FROM tree LIMIT ${entriesMax}
    ), referred AS (
      SELECT DISTINCT version.blob_key AS key
      FROM trashed JOIN storage.version ON version.project_id = ${projectId} AND version.file_id = trashed.id
    )
    SELECT (SELECT count(*)::int FROM trashed) AS entries, (
      SELECT coalesce(sum(blob.size), 0)::bigint
      FROM referred JOIN storage.blob ON blob.project_id = ${projectId} AND blob.key = referred.key
      WHERE NOT EXISTS (
        SELECT FROM storage.version
        WHERE version.project_id = ${projectId} AND version.blob_key = referred.key
          AND version.file_id NOT IN (SELECT id FROM trashed)
      )
    ) AS bytes`.execute(database);
  return { entries: rows[0]?.entries ?? 0, bytes: Number(rows[0]?.bytes ?? 0n) };
}

/** At most this many roots in the trash of a project; purged ones are not counted. */
export async function purgeTrash(
  transaction: Transaction<DB>,
  projectId: ProjectId,
  rows: number,
): Promise<readonly { readonly id: EntryId; readonly kind: EntryKind }[]> {
  const purged = await sql<{ id: EntryId; kind: EntryKind }>`
    UPDATE storage.entry SET trashed_at = ${isoMicroseconds(purgedMark)}
    WHERE project_id = ${projectId} AND id IN (
      SELECT id FROM storage.entry
      WHERE project_id = ${projectId} AND trashed_at > ${isoMicroseconds(purgedMark)}
      LIMIT ${rows}
    )
    RETURNING id, kind`.execute(transaction);
  return purged.rows;
}

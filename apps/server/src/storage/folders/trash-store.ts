import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import { findEntries } from './entry-store.ts';
import type { Entry, EntryId } from './entry.ts';
import { purgedMark } from './entry.ts';

/**
 * The roots of what was deleted and can still be restored, the last one first. Without those in a folder that was purged:
 * they go with it.
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
    .where(
      sql<boolean>`NOT EXISTS (
        WITH RECURSIVE line AS (
          SELECT above.parent_id, above.trashed_at
          FROM storage.entry above WHERE above.project_id = ${projectId} AND above.id = entry.parent_id
          UNION ALL
          SELECT above.parent_id, above.trashed_at
          FROM line JOIN storage.entry above ON above.project_id = ${projectId} AND above.id = line.parent_id
        )
        SELECT FROM line WHERE trashed_at = ${isoMicroseconds(purgedMark)}
      )`,
    );
  const columns = { createdAt: 'entry.trashed_at', id: 'entry.id' } as const;
  const rows = await selectPage(query, request, columns).execute();
  return findEntries(
    database,
    projectId,
    rows.map(({ id }) => id as EntryId),
  );
}

/** So many roots of what lies in the trash of a project, at most; those that were purged before are not counted. */
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

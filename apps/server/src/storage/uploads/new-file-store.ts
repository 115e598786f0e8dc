import { sql } from 'kysely';

import type { AuditEvent, AuditEventId } from '../../audit/index.ts';
import { auditEventOfFound } from '../../audit/index.ts';
import { commitWithoutWaiting } from '../../foundation/database/commit-wait.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { foldName } from '../entry-name.ts';
import type { VersionId } from '../files/version-store.ts';
import type { Entry, FileContent } from '../folders/entry.ts';
import { lineAbove } from '../folders/line-above.ts';
import type { Upload } from './upload.ts';

/**
 * The work of `createFileFromUpload` for a new file, in one statement, if the upload still waits for bytes, its folder
 * is live and its name is free. Otherwise returns false and changes nothing; `createFileFromUpload` then finds the
 * reason. The caller calls `waitForCommits`.
 */
export async function insertNewFile(
  database: Database,
  upload: Upload,
  file: Entry,
  { sha256, scanState }: FileContent,
  ids: { readonly version: VersionId; readonly event: AuditEventId },
  event: Omit<AuditEvent, 'accountId'>,
): Promise<boolean> {
  const at = isoMicroseconds(file.createdAt);
  const statement = sql`${preparedAs('insert-new-file')}
    WITH RECURSIVE held AS (
      SELECT upload.* FROM storage.upload JOIN storage.project ON project.id = upload.project_id
        JOIN storage.blob ON blob.project_id = upload.project_id AND blob.key = upload.blob_key
      WHERE upload.id = ${upload.id} AND upload.state = 'open' AND project.trashed_at IS NULL
        AND blob.counted_bytes = upload.size
      FOR UPDATE OF upload, blob FOR SHARE OF project
    ), line AS (
      SELECT id, parent_id, trashed_at FROM storage.entry
      WHERE project_id = ${upload.projectId} AND id = ${upload.folderId}::uuid
      UNION ALL
      SELECT above.id, above.parent_id, above.trashed_at
      FROM ${lineAbove(upload.projectId)}
    ), entered AS (
      INSERT INTO storage.entry (project_id, id, parent_id, kind, name, folded_name, version, created_by, created_at,
        updated_at)
      SELECT project_id, ${file.id}::uuid, folder_id, 'file', name, ${foldName(upload.name)}::text, 1, created_by,
        ${at}::timestamptz, ${at}::timestamptz FROM held
      WHERE (folder_id IS NULL OR EXISTS (SELECT FROM line))
        AND NOT EXISTS (SELECT FROM line WHERE trashed_at IS NOT NULL)
      ON CONFLICT (project_id, parent_id, folded_name) WHERE trashed_at IS NULL DO NOTHING
      RETURNING id, created_at
    ), ended AS (
      UPDATE storage.upload SET state = 'completed', file_id = entered.id, version = 1
      FROM entered WHERE upload.id = ${upload.id}
    ), stored AS (
      UPDATE storage.blob SET sha256 = ${sha256}, stored_at = entered.created_at, scan_state = ${scanState},
        inspection_due_at = entered.created_at
      FROM entered WHERE project_id = ${upload.projectId} AND key = ${upload.blobKey}
    ), versioned AS (
      INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
      SELECT project_id, entered.id, 1, ${ids.version}::uuid, blob_key, media_type, created_by, entered.created_at
      FROM held, entered
    ), found AS (
      SELECT held.created_by AS id FROM held, entered
    ), noted AS (${auditEventOfFound(ids.event, event)})
    UPDATE storage.usage SET used_bytes = used_bytes + ${upload.size}::bigint,
      reserved_bytes = reserved_bytes - ${upload.size}::bigint
    FROM entered WHERE organization_id = ${upload.organization.id}
    RETURNING ${commitWithoutWaiting()}`;
  try {
    return (await statement.execute(database)).rows.length === 1;
  } catch (error) {
    // Its folder was purged while this waited for the tree.
    if (violatedConstraint(error) === 'entry_project_id_parent_id_fkey') return false;
    throw error;
  }
}

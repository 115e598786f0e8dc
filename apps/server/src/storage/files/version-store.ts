import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';
import type { Entry, EntryId, FileContent, ScanState } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';

export type VersionId = Id<'version'>;

/** One current or earlier content of a file. */
export interface Version extends FileContent {
  readonly id: VersionId;
  readonly createdAt: EpochMicroseconds;
}

function versions(database: Database, { projectId, id }: Pick<Entry, 'projectId' | 'id'>) {
  return database
    .selectFrom('storage.version as version')
    .innerJoin('storage.blob as blob', (join) =>
      join.onRef('blob.project_id', '=', 'version.project_id').onRef('blob.key', '=', 'version.blob_key'),
    )
    .select([
      'version.id',
      'version.number',
      'version.media_type',
      'version.created_at',
      'version.created_by',
      'blob.key',
      'blob.size',
      'blob.sha256',
      'blob.detected_media_type',
      'blob.scan_state',
    ])
    .where('version.project_id', '=', projectId)
    .where('version.file_id', '=', id);
}

function versionOf(
  row: Awaited<ReturnType<ReturnType<typeof versions>['executeTakeFirstOrThrow']>>,
): Version {
  return {
    id: row.id as VersionId,
    version: row.number,
    mediaType: row.media_type,
    detectedMediaType: row.detected_media_type,
    scanState: row.scan_state as ScanState,
    storedBy: row.created_by as accounts.AccountId,
    createdAt: fromTimestamptz(row.created_at),
    blobKey: row.key,
    size: Number(row.size),
    sha256: row.sha256,
  };
}

export async function findVersion(
  database: Database,
  file: Pick<Entry, 'projectId' | 'id'>,
  number: number,
): Promise<Version | null> {
  const row = await versions(database, file).where('version.number', '=', number).executeTakeFirst();
  return row === undefined ? null : versionOf(row);
}

export async function selectVersions(
  database: Database,
  file: Entry,
  request: PageRequest<VersionId>,
): Promise<readonly Version[]> {
  const columns = { createdAt: 'version.created_at', id: 'version.id' } as const;
  return (await selectPage(versions(database, file), request, columns).execute()).map(versionOf);
}

export async function insertVersion(
  database: Database,
  version: {
    readonly projectId: ProjectId;
    readonly fileId: EntryId;
    readonly number: number;
    readonly id: VersionId;
    readonly blobKey: string;
    readonly mediaType: string;
    readonly createdBy: string;
    readonly at: EpochMicroseconds;
  },
): Promise<void> {
  await database
    .insertInto('storage.version')
    .values({
      project_id: version.projectId,
      file_id: version.fileId,
      number: version.number,
      id: version.id,
      blob_key: version.blobKey,
      media_type: version.mediaType,
      created_by: version.createdBy,
      created_at: isoMicroseconds(version.at),
    })
    .execute();
}

/**
 * A later version of the file was stored before this time. Its own age does not count: the content of an old file is
 * restorable for as long as that of a new one.
 */
export function wasReplacedBefore(before: EpochMicroseconds): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (
    SELECT FROM storage.version AS later
    WHERE later.project_id = version.project_id AND later.file_id = version.file_id
      AND later.number > version.number AND later.created_at < ${isoMicroseconds(before)})`;
}

export interface RemovedVersions {
  readonly number: number;
  /** Only this one, instead of all up to it. */
  readonly alone?: true;
  /** Retains versions of other accounts that were replaced since then: adding versions must not delete their content. */
  readonly sparing?: { readonly othersThan: string; readonly since: EpochMicroseconds };
}

/** Deletes versions and condemns blobs without references; returns their bytes. */
export async function removeVersions(
  database: Database,
  files: { readonly projectId: ProjectId; readonly ids: readonly EntryId[] },
  { number, alone, sparing }: RemovedVersions,
  now: EpochMicroseconds,
): Promise<number> {
  let query = database
    .deleteFrom('storage.version')
    .where('project_id', '=', files.projectId)
    .where('file_id', 'in', [...files.ids])
    .where('number', alone === true ? '=' : '<=', number);
  if (sparing !== undefined)
    query = query.where((version) =>
      version('created_by', '=', sparing.othersThan).or(wasReplacedBefore(sparing.since)),
    );
  const removed = await query.returning('blob_key').execute();
  return condemnBlobs(
    database,
    files.projectId,
    removed.map(({ blob_key: key }) => key),
    now,
  );
}

/** The hash, from a process that has read the whole content. */
export async function saveHash(
  database: Database,
  projectId: ProjectId,
  key: string,
  sha256: Buffer,
): Promise<void> {
  await database
    .updateTable('storage.blob')
    .set({ sha256 })
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .execute();
}

/** Prevents condemnation until the transaction ends. False if it is condemned already. */
export async function holdBlob(database: Database, projectId: ProjectId, key: string): Promise<boolean> {
  const row = await database
    .selectFrom('storage.blob')
    .select('condemned_at')
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .forShare()
    .executeTakeFirst();
  return row?.condemned_at === null;
}

/** Those that no version refers to; returns the bytes that counted as used until now. */
export async function condemnBlobs(
  database: Database,
  projectId: ProjectId,
  keys: readonly string[],
  now: EpochMicroseconds,
): Promise<number> {
  if (keys.length === 0) return 0;
  // A separate statement: it must see the references of transactions that had a blob locked until now.
  await database
    .selectFrom('storage.blob')
    .select('key')
    .where('project_id', '=', projectId)
    .where('key', 'in', [...keys])
    .orderBy('key')
    .forUpdate()
    .execute();
  const { rows } = await sql<{ size: bigint; stored: boolean }>`
    UPDATE storage.blob SET condemned_at = ${isoMicroseconds(now)}
    WHERE project_id = ${projectId} AND key = ANY (${[...keys]}) AND condemned_at IS NULL
      AND NOT EXISTS (
        SELECT FROM storage.version
        WHERE version.project_id = blob.project_id AND version.blob_key = blob.key
      )
    RETURNING size, stored_at IS NOT NULL AS stored`.execute(database);
  return rows.reduce((sum, { size, stored }) => sum + (stored ? Number(size) : 0), 0);
}

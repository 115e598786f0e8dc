import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import { commitWithoutWaiting } from '../../foundation/database/commit-wait.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import type { ExhaustedQuota, QuotaSettings } from '../files/usage-store.ts';
import { takingRoom } from '../files/usage-store.ts';
import type { VersionId } from '../files/version-store.ts';
import { saveHash } from '../files/version-store.ts';
import type { EntryId, ScanState } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { Upload, UploadId, UploadIfTaken, UploadState } from './upload.ts';

function uploads(database: Database) {
  return database
    .selectFrom('storage.upload as upload')
    .innerJoin('storage.project as project', 'project.id', 'upload.project_id')
    .innerJoin('identity.organization as organization', 'organization.id', 'project.organization_id')
    .innerJoin('storage.blob as blob', (join) =>
      join.onRef('blob.project_id', '=', 'upload.project_id').onRef('blob.key', '=', 'upload.blob_key'),
    )
    .selectAll('upload')
    .select([
      'project.organization_id',
      'organization.key as organization_key',
      'blob.sha256',
      'blob.counted_bytes',
    ]);
}

type UploadRow = Awaited<ReturnType<ReturnType<typeof uploads>['executeTakeFirstOrThrow']>>;

function uploadOf(row: UploadRow): Upload {
  return {
    id: row.id as UploadId,
    projectId: row.project_id as ProjectId,
    organization: { id: row.organization_id as callers.Organization['id'], key: row.organization_key },
    folderId: row.folder_id as EntryId | null,
    name: row.name as EntryName,
    size: Number(row.size),
    mediaType: row.media_type,
    expectedSha256: row.expected_sha256,
    ifTaken: row.if_taken as UploadIfTaken,
    ifMatch: row.if_match,
    mayReplace: row.may_replace,
    replaces: row.replaces as EntryId | null,
    blobKey: row.blob_key,
    state: row.state as UploadState,
    stagedName: row.staged_name,
    reserved: Number(row.counted_bytes ?? row.size),
    activeAt: fromTimestamptz(row.active_at ?? row.created_at),
    received: row.received === null ? null : Number(row.received),
    partsArrived: Number(row.parts_arrived ?? 0n),
    partTags: row.part_tags,
    sha256: row.sha256,
    fileId: row.file_id as EntryId | null,
    version: row.version,
    createdBy: row.created_by as accounts.AccountId,
    createdAt: fromTimestamptz(row.created_at),
    expiresAt: fromTimestamptz(row.expires_at),
  };
}

export async function findUpload(database: Database, id: UploadId): Promise<Upload | null> {
  const row = await uploads(database).where('upload.id', '=', id).executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/** The upload of this key. */
export async function findUploadOfBlob(database: Database, key: string): Promise<Upload | null> {
  const row = await uploads(database).where('blob.key', '=', key).executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/** An upload that waits for bytes, with the username of its sender. */
export interface OpenUpload extends Upload {
  readonly sender: string;
}

function openUploads(database: Database) {
  return uploads(database)
    .innerJoin('identity.account as sender', 'sender.id', 'upload.created_by')
    .select('sender.username as sender')
    .where('upload.state', '=', 'open');
}

/** The uploads of a project that wait for bytes, newest first. */
export async function selectOpenUploads(
  database: Database,
  projectId: ProjectId,
  request: PageRequest<UploadId>,
): Promise<readonly OpenUpload[]> {
  const columns = { createdAt: 'upload.created_at', id: 'upload.id' } as const;
  const open = openUploads(database).where('upload.project_id', '=', projectId);
  const rows = await selectPage(open, request, columns).execute();
  return rows.map((row) => ({ ...uploadOf(row), sender: row.sender }));
}

/** All of an organization, with their senders. */
export async function selectAllOpenUploads(
  database: Database,
  organizationId: callers.Organization['id'],
): Promise<readonly OpenUpload[]> {
  const rows = await openUploads(database)
    .where('project.organization_id', '=', organizationId)
    .orderBy('upload.id')
    .execute();
  return rows.map((row) => ({ ...uploadOf(row), sender: row.sender }));
}

/** Locked until the transaction ends, so that no other request completes, abandons or shrinks it. */
export async function lockUpload(database: Database, id: UploadId): Promise<Upload | null> {
  const row = await uploads(database)
    .where('upload.id', '=', id)
    .forUpdate(['upload', 'blob'])
    .executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/** For creating its file: also shares the tree, like `shareTree`. */
export async function lockUploadInTree(database: Database, id: UploadId): Promise<Upload | null> {
  const row = await uploads(database)
    .where('upload.id', '=', id)
    .forUpdate(['upload', 'blob'])
    .forShare('project')
    .executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/**
 * Reserves the space and names the blob, all or nothing; the caller calls `waitForCommits`. Returns the quota that has
 * not enough space left, if so.
 */
export async function insertUpload(
  database: Database,
  upload: Omit<Upload, 'stagedName' | 'partsArrived' | 'partTags' | 'sha256' | 'fileId' | 'version'>,
  settings: QuotaSettings,
): Promise<ExhaustedQuota | null> {
  const { size } = upload;
  const { rows } = await sql<{ exhausted: ExhaustedQuota | null }>`${preparedAs('insert-upload')}
    WITH room AS MATERIALIZED (SELECT ${takingRoom(upload, size, settings)} AS exhausted), named AS (
      INSERT INTO storage.blob (project_id, key, size, created_at, stored_by, counted_bytes)
      SELECT ${upload.projectId}::uuid, ${upload.blobKey}::text, ${size}::bigint,
        ${isoMicroseconds(upload.createdAt)}::timestamptz, ${upload.createdBy}::uuid, ${size}::bigint
      FROM room WHERE exhausted IS NULL
      RETURNING project_id, key, size, created_at, stored_by
    ), entered AS (
      INSERT INTO storage.upload (id, project_id, folder_id, name, size, media_type, expected_sha256, if_taken,
        if_match, may_replace, replaces, blob_key, state, received, created_by, created_at, expires_at)
      SELECT ${upload.id}::uuid, project_id, ${upload.folderId}::uuid, ${upload.name}::text, size,
        ${upload.mediaType}::text, ${upload.expectedSha256}::bytea, ${upload.ifTaken}::text, ${upload.ifMatch}::text,
        ${upload.mayReplace}::boolean, ${upload.replaces}::uuid, key, ${upload.state}::text,
        ${upload.received}::bigint, stored_by, created_at, ${isoMicroseconds(upload.expiresAt)}::timestamptz FROM named
    )
    SELECT exhausted, ${commitWithoutWaiting()} FROM room`.execute(database);
  return rows[0]?.exhausted ?? null;
}

/** For a sender who has lost the permission since the reservation. */
export async function forbidReplacing(database: Database, { id }: Upload): Promise<void> {
  await database.updateTable('storage.upload').set({ may_replace: false }).where('id', '=', id).execute();
}

/** The name of its parts. False if another request was first. */
export async function markParted(database: Database, { id }: Upload, name: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('storage.upload')
    .set({ staged_name: name })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('staged_name', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The bucket has all its bytes under this name. False if another request was first. */
export async function markCompleting(
  database: Database,
  upload: Upload,
  /** Without a hash if they were sent directly to the bucket. */
  staged: { readonly name: string; readonly sha256: Buffer | null },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('storage.upload')
    .set({ state: 'completing', staged_name: staged.name })
    .where('id', '=', upload.id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  if (staged.sha256 !== null) await saveHash(database, upload.projectId, upload.blobKey, staged.sha256);
  return true;
}

/**
 * The end of an upload, in a transaction that creates or changes the file: its version, and the blob, which from now
 * on counts as used and is inspected by a worker. The caller calls `waitForCommits`.
 */
export async function saveContent(
  transaction: Database,
  upload: Upload,
  content: {
    readonly id: VersionId;
    readonly fileId: EntryId;
    readonly version: number;
    readonly at: EpochMicroseconds;
    readonly scanState: ScanState;
  },
): Promise<void> {
  const { fileId, version } = content;
  const at = isoMicroseconds(content.at);
  await sql`${preparedAs('keep-content')}
    WITH ended AS (
      UPDATE storage.upload SET state = 'completed', file_id = ${fileId}, version = ${version}
      WHERE id = ${upload.id} RETURNING project_id, blob_key, media_type, created_by
    ), stored AS (
      UPDATE storage.blob SET sha256 = ${upload.sha256}, stored_at = ${at}::timestamptz,
        scan_state = ${content.scanState}, inspection_due_at = ${at}::timestamptz
      FROM ended WHERE blob.project_id = ended.project_id AND blob.key = ended.blob_key
    )
    INSERT INTO storage.version (project_id, file_id, number, id, blob_key, media_type, created_by, created_at)
    SELECT project_id, ${fileId}::uuid, ${version}::integer, ${content.id}::uuid, blob_key, media_type, created_by,
      ${at}::timestamptz FROM ended
    RETURNING ${commitWithoutWaiting()}`.execute(transaction);
}

export async function markAbandoned(database: Database, { id }: Upload): Promise<void> {
  await database.deleteFrom('storage.upload_tail').where('upload_id', '=', id).execute();
  await database.updateTable('storage.upload').set({ state: 'abandoned' }).where('id', '=', id).execute();
}

/** Uploads with all bytes but no file, and those that have waited for bytes too long. */
export async function selectUnfinished(
  database: Database,
  now: EpochMicroseconds,
  rows: number,
): Promise<readonly UploadId[]> {
  const found = await database
    .selectFrom('storage.upload')
    .select('id')
    .where((where) =>
      where.or([
        where('state', '=', 'completing'),
        where.and([where('state', '=', 'open'), where('expires_at', '<=', isoMicroseconds(now))]),
      ]),
    )
    .orderBy('id')
    .limit(rows)
    .execute();
  return found.map(({ id }) => id as UploadId);
}

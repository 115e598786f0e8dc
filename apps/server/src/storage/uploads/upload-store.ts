import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import type { EntryId } from '../folders/entry.ts';
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
    .select(['project.organization_id', 'organization.key as organization_key', 'blob.sha256']);
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
    blobKey: row.blob_key,
    state: row.state as UploadState,
    stagedName: row.staged_name,
    received: row.received === null ? null : Number(row.received),
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

/** Whose bytes are, or were to be, those of this key. */
export async function findUploadOfBlob(database: Database, key: string): Promise<Upload | null> {
  const row = await uploads(database).where('blob.key', '=', key).executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

/** Until the transaction ends nobody else completes or abandons it. */
export async function lockUpload(database: Database, id: UploadId): Promise<Upload | null> {
  const row = await uploads(database).where('upload.id', '=', id).forUpdate('upload').executeTakeFirst();
  return row === undefined ? null : uploadOf(row);
}

export async function insertUpload(
  database: Database,
  upload: Omit<Upload, 'organization' | 'stagedName' | 'partTags' | 'sha256' | 'fileId' | 'version'>,
): Promise<void> {
  const createdAt = isoMicroseconds(upload.createdAt);
  await database
    .insertInto('storage.blob')
    .values({
      project_id: upload.projectId,
      key: upload.blobKey,
      size: BigInt(upload.size),
      created_at: createdAt,
    })
    .execute();
  await database
    .insertInto('storage.upload')
    .values({
      id: upload.id,
      project_id: upload.projectId,
      folder_id: upload.folderId,
      name: upload.name,
      size: BigInt(upload.size),
      media_type: upload.mediaType,
      expected_sha256: upload.expectedSha256,
      if_taken: upload.ifTaken,
      if_match: upload.ifMatch,
      blob_key: upload.blobKey,
      state: upload.state,
      received: upload.received === null ? null : BigInt(upload.received),
      created_by: upload.createdBy,
      created_at: createdAt,
      expires_at: isoMicroseconds(upload.expiresAt),
    })
    .execute();
}

/** Its parts will wait under this name. False where another request was first. */
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

/** All its bytes lie in the bucket under this name. False where another request was first. */
export async function markCompleting(
  database: Database,
  upload: Upload,
  /** Without a hash where they came past us. */
  staged: { readonly name: string; readonly sha256: Buffer | null },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('storage.upload')
    .set({ state: 'completing', staged_name: staged.name })
    .where('id', '=', upload.id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  if (staged.sha256 !== null) await keepHash(database, upload, staged.sha256);
  return true;
}

export async function keepHash(
  database: Database,
  { projectId, blobKey }: Upload,
  sha256: Buffer,
): Promise<void> {
  await database
    .updateTable('storage.blob')
    .set({ sha256 })
    .where('project_id', '=', projectId)
    .where('key', '=', blobKey)
    .execute();
}

export async function markCompleted(
  database: Database,
  { id }: Upload,
  file: { readonly id: EntryId; readonly version: number },
): Promise<void> {
  await database
    .updateTable('storage.upload')
    .set({ state: 'completed', file_id: file.id, version: file.version })
    .where('id', '=', id)
    .execute();
}

export async function markAbandoned(database: Database, { id }: Upload): Promise<void> {
  await database.deleteFrom('storage.upload_tail').where('upload_id', '=', id).execute();
  await database.updateTable('storage.upload').set({ state: 'abandoned' }).where('id', '=', id).execute();
}

/** Those whose bytes are all there but whose file is not, and those that have waited for bytes too long. */
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

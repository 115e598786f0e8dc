import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { callers, permissions } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs, preparedQuery } from '../../foundation/database/prepared-statement.ts';
import { savepoint } from '../../foundation/database/savepoint.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { accounts } from '../../identity/index.ts';
import type { EntryName } from '../entry-name.ts';
import { foldName, numberedName } from '../entry-name.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import { raiseNameTaken } from '../storage-problems.ts';
import type { Entry, EntryId, FileContent, IfTaken, Lineage, ScanState } from './entry.ts';
import { purgedMark } from './entry.ts';
import { lineAbove } from './line-above.ts';

function entries(database: Database) {
  return database
    .selectFrom('storage.entry as entry')
    .innerJoin('storage.project as project', 'project.id', 'entry.project_id')
    .innerJoin('identity.organization as organization', 'organization.id', 'project.organization_id')
    .leftJoin('storage.version as version', (join) =>
      join
        .onRef('version.project_id', '=', 'entry.project_id')
        .onRef('version.file_id', '=', 'entry.id')
        .onRef('version.number', '=', 'entry.version'),
    )
    .leftJoin('storage.blob as blob', (join) =>
      join.onRef('blob.project_id', '=', 'version.project_id').onRef('blob.key', '=', 'version.blob_key'),
    )
    .select([
      'entry.id',
      'entry.project_id',
      'project.organization_id',
      'organization.key as organization_key',
      'entry.parent_id',
      'entry.kind',
      'entry.name',
      'entry.version',
      'entry.created_at',
      'entry.updated_at',
      'entry.trashed_at',
      'version.media_type',
      'version.blob_key',
      'version.created_by as stored_by',
      'blob.size',
      'blob.sha256',
      'blob.detected_media_type',
      'blob.scan_state',
    ]);
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['executeTakeFirstOrThrow']>>;

function contentOf(row: EntryRow): FileContent | null {
  const { version, media_type: mediaType, blob_key: blobKey, stored_by: storedBy, size } = row;
  const isStored = version !== null && mediaType !== null && blobKey !== null && storedBy !== null;
  if (!isStored || size === null) return null;
  return {
    version,
    mediaType,
    detectedMediaType: row.detected_media_type,
    scanState: row.scan_state as ScanState,
    storedBy: storedBy as accounts.AccountId,
    blobKey,
    size: Number(size),
    sha256: row.sha256,
  };
}

function entryOf(row: EntryRow): Entry {
  return {
    id: row.id as EntryId,
    projectId: row.project_id as ProjectId,
    organization: { id: row.organization_id as callers.Organization['id'], key: row.organization_key },
    parentId: row.parent_id as EntryId | null,
    kind: row.kind as EntryKind,
    name: row.name as EntryName,
    content: contentOf(row),
    createdAt: fromTimestamptz(row.created_at),
    updatedAt: fromTimestamptz(row.updated_at),
    trashedAt: row.trashed_at === null ? null : fromTimestamptz(row.trashed_at),
  };
}

/** The entries that an account created in a project, also trashed and unpurged ones, by id. */
export async function selectEntriesMadeBy(
  database: Database,
  projectId: ProjectId,
  creatorId: string,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Entry[]> {
  let query = entries(database)
    .where('entry.project_id', '=', projectId)
    .where('entry.created_by', '=', creatorId)
    .where(sql<boolean>`entry.trashed_at IS DISTINCT FROM ${isoMicroseconds(purgedMark)}`);
  if (page.after !== undefined) query = query.where('entry.id', '>', page.after);
  return (await query.orderBy('entry.id').limit(page.limit).execute()).map(entryOf);
}

export async function findEntry(database: Database, id: EntryId): Promise<Entry | null> {
  const query = entries(database).where('entry.id', '=', id);
  const { rows } = await preparedQuery('find-entry', query).execute(database);
  return rows[0] === undefined ? null : entryOf(rows[0]);
}

/** Ordered by id, without deleted ones. */
export async function findEntries(
  database: Database,
  projectId: ProjectId,
  ids: readonly EntryId[],
): Promise<readonly Entry[]> {
  if (ids.length === 0) return [];
  const rows = await entries(database)
    .where('entry.project_id', '=', projectId)
    .where(sql<boolean>`entry.id = ANY (${[...ids]}::uuid[])`)
    .execute();
  const found = new Map(rows.map((row) => [row.id, entryOf(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The current row, locked until the transaction ends. */
export async function lockEntry(
  transaction: Transaction<DB>,
  { projectId, id }: Entry,
): Promise<Entry | null> {
  await transaction
    .selectFrom('storage.entry')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .execute();
  return findEntry(transaction, id);
}

export async function findLiveSibling(
  database: Database,
  projectId: ProjectId,
  parentId: EntryId | null,
  name: EntryName,
): Promise<Entry | null> {
  const query = entries(database)
    .where('entry.project_id', '=', projectId)
    .where('entry.parent_id', parentId === null ? 'is' : '=', parentId)
    .where('entry.folded_name', '=', foldName(name))
    .where('entry.trashed_at', 'is', null);
  const place = parentId === null ? 'project' : 'folder';
  const { rows } = await preparedQuery(`find-live-sibling-in-${place}`, query).execute(database);
  return rows[0] === undefined ? null : entryOf(rows[0]);
}

/** From a folder upwards, including itself; with null, the project itself. */
export async function findLineage(
  database: Database,
  projectId: ProjectId,
  folderId: EntryId | null,
): Promise<Lineage> {
  const { rows } = await sql<{ id: EntryId; trashed: boolean; purged: boolean }>`${preparedAs('find-lineage')}
    WITH RECURSIVE line AS (
      SELECT id, parent_id, trashed_at, 1 AS depth
      FROM storage.entry WHERE project_id = ${projectId} AND id = ${folderId}::uuid
      UNION ALL
      SELECT above.id, above.parent_id, above.trashed_at, line.depth + 1
      FROM ${lineAbove(projectId)}
    )
    SELECT id, trashed_at IS NOT NULL AS trashed, coalesce(trashed_at = ${isoMicroseconds(purgedMark)}, false) AS purged
    FROM (
      SELECT id, trashed_at, depth FROM line
      UNION ALL SELECT id, trashed_at, 1000 FROM storage.project WHERE id = ${projectId}
    ) AS place ORDER BY depth`.execute(database);
  return {
    folders: rows.slice(0, -1).map(({ id }) => id),
    trashed: rows.some(({ trashed }) => trashed),
    purged: rows.some(({ purged }) => purged),
  };
}

/** The depth of the folder's subtree, including itself. */
export async function readHeight(
  database: Database,
  { projectId, id }: Pick<Entry, 'projectId' | 'id'>,
): Promise<number> {
  const { rows } = await sql<{ height: number }>`${preparedAs('read-height')}
    WITH RECURSIVE tree AS (
      SELECT id, 1 AS depth FROM storage.entry WHERE project_id = ${projectId} AND id = ${id}
      UNION ALL
      SELECT below.id, tree.depth + 1
      FROM tree CROSS JOIN LATERAL (
        SELECT id FROM storage.entry
        WHERE project_id = ${projectId} AND parent_id = tree.id AND kind = 'folder' OFFSET 0
      ) AS below
    )
    SELECT max(depth)::int AS height FROM tree`.execute(database);
  return rows[0]?.height ?? 0;
}

/** The entries of each kind that a list may show. */
export type Readable = Readonly<Record<EntryKind, permissions.CoveredNames>>;

function readableOf(readable: Readable) {
  const ofKind = (kind: EntryKind) => {
    const names = readable[kind];
    return names === 'all'
      ? sql<boolean>`entry.kind = ${kind}`
      : sql<boolean>`(entry.kind = ${kind} AND entry.id::text = ANY (${[...names]}))`;
  };
  return sql<boolean>`(${ofKind('folder')} OR ${ofKind('file')})`;
}

interface ListedContainer {
  readonly projectId: ProjectId;
  readonly folderId: EntryId | null;
}

export async function selectChildren(
  database: Database,
  container: ListedContainer,
  readable: Readable,
  request: PageRequest<EntryId>,
): Promise<readonly Entry[]> {
  return (await childrenQuery(database, container, readable, request).execute()).map(entryOf);
}

export function childrenQuery(
  database: Database,
  { projectId, folderId }: ListedContainer,
  readable: Readable,
  request: PageRequest<EntryId>,
) {
  let query = entries(database)
    .where('entry.project_id', '=', projectId)
    .where('entry.parent_id', folderId === null ? 'is' : '=', folderId)
    .where('entry.trashed_at', 'is', null);
  if (readable.folder !== 'all' || readable.file !== 'all') query = query.where(readableOf(readable));
  return selectPage(query, request, {
    createdAt: 'entry.created_at',
    id: 'entry.id',
    name: 'entry.folded_name',
    ...(folderId === null && { nullInAll: 'entry.parent_id' as const }),
  });
}

export async function insertEntry(
  transaction: Transaction<DB>,
  entry: Pick<Entry, 'id' | 'projectId' | 'parentId' | 'kind' | 'name' | 'createdAt'> & {
    readonly createdBy: string;
    readonly version: number | null;
  },
  ifTaken: IfTaken,
): Promise<EntryName> {
  const at = isoMicroseconds(entry.createdAt);
  return underFreeName(entry.name, ifTaken, async (name) => {
    const { numInsertedOrUpdatedRows: inserted } = await transaction
      .insertInto('storage.entry')
      .values({
        id: entry.id,
        project_id: entry.projectId,
        parent_id: entry.parentId,
        kind: entry.kind,
        name,
        folded_name: foldName(name),
        version: entry.version,
        created_by: entry.createdBy,
        created_at: at,
        updated_at: at,
      })
      // The index `entry_live_name`.
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'parent_id', 'folded_name'])
          .where('trashed_at', 'is', null)
          .doNothing(),
      )
      .executeTakeFirstOrThrow();
    return inserted === 1n;
  });
}

export interface EntryChange {
  readonly name?: EntryName;
  readonly parentId?: EntryId | null;
  readonly trashedAt?: EpochMicroseconds | null;
  readonly version?: number;
}

export async function updateEntry(
  transaction: Transaction<DB>,
  entry: Pick<Entry, 'id' | 'projectId' | 'name'>,
  change: EntryChange,
  now: EpochMicroseconds,
  ifTaken: IfTaken = 'refuse',
): Promise<EntryName> {
  const { parentId, trashedAt, version } = change;
  return underFreeName(change.name ?? entry.name, ifTaken, async (name) => {
    const undo = await savepoint(transaction);
    const update = transaction
      .updateTable('storage.entry')
      .set({
        ...(name !== entry.name && { name, folded_name: foldName(name) }),
        ...(parentId !== undefined && { parent_id: parentId }),
        ...(trashedAt !== undefined && {
          trashed_at: trashedAt === null ? null : isoMicroseconds(trashedAt),
        }),
        ...(version !== undefined && { version }),
        updated_at: isoMicroseconds(now),
      })
      .where('project_id', '=', entry.projectId)
      .where('id', '=', entry.id);
    try {
      await update.execute();
      return true;
    } catch (error) {
      if (violatedConstraint(error) !== 'entry_live_name') throw error;
      await undo();
      return false;
    }
  });
}

const triesMax = 100;

/** The constraint decides whether a name is free: an earlier check would have to be repeated. */
export async function underFreeName(
  name: EntryName,
  ifTaken: IfTaken,
  /** False if it is taken. */
  write: (name: EntryName) => Promise<boolean>,
): Promise<EntryName> {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : numberedName(name, number);
    if (await write(tried)) return tried;
    if (ifTaken === 'refuse' || number === triesMax) raiseNameTaken(name);
  }
}

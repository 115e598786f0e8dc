import { sql } from 'kysely';

import type { callers, permissions } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { preparedQuery } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { violatedConstraint } from '../../foundation/database/violated-constraint.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { EntryName } from '../entry-name.ts';
import { foldName } from '../entry-name.ts';
import { raiseNameTaken } from '../storage-problems.ts';
import type { Project, ProjectId } from './project.ts';

function projects(database: Database) {
  return database
    .selectFrom('storage.project as project')
    .innerJoin('identity.organization as organization', 'organization.id', 'project.organization_id')
    .select([
      'project.id',
      'project.organization_id',
      'organization.key',
      'project.workspace_id',
      'project.name',
      'project.created_at',
      'project.updated_at',
      'project.trashed_at',
    ]);
}

function projectOf(
  row: Awaited<ReturnType<ReturnType<typeof projects>['executeTakeFirstOrThrow']>>,
): Project {
  return {
    id: row.id as ProjectId,
    organization: { id: row.organization_id as callers.Organization['id'], key: row.key },
    workspaceId: row.workspace_id,
    name: row.name as EntryName,
    createdAt: fromTimestamptz(row.created_at),
    updatedAt: fromTimestamptz(row.updated_at),
    trashedAt: row.trashed_at === null ? null : fromTimestamptz(row.trashed_at),
  };
}

export async function findProject(database: Database, id: ProjectId): Promise<Project | null> {
  const query = projects(database).where('project.id', '=', id);
  const { rows } = await preparedQuery('find-project', query).execute(database);
  return rows[0] === undefined ? null : projectOf(rows[0]);
}

export async function selectProjects(
  database: Database,
  { id }: callers.Organization,
  readable: permissions.CoveredNames,
  request: PageRequest<ProjectId>,
): Promise<readonly Project[]> {
  let query = projects(database)
    .where('project.organization_id', '=', id)
    .where('project.trashed_at', 'is', null);
  if (readable !== 'all') query = query.where(sql<boolean>`project.id::text = ANY (${[...readable]})`);
  const columns = { createdAt: 'project.created_at', id: 'project.id', name: 'project.folded_name' } as const;
  return (await selectPage(query, request, columns).execute()).map(projectOf);
}

/** Those that can be restored, most recently deleted first. */
export async function selectDeletedProjects(
  database: Database,
  { id }: callers.Organization,
  deletable: permissions.CoveredNames,
  since: EpochMicroseconds,
  request: PageRequest<ProjectId>,
): Promise<readonly Project[]> {
  let query = projects(database)
    .where('project.organization_id', '=', id)
    .where('project.trashed_at', '>', isoMicroseconds(since));
  if (deletable !== 'all') query = query.where(sql<boolean>`project.id::text = ANY (${[...deletable]})`);
  const columns = { createdAt: 'project.trashed_at', id: 'project.id' } as const;
  return (await selectPage(query, request, columns).execute()).map(projectOf);
}

/** All projects of an organization, also trashed ones, by id. */
export async function selectAllProjects(
  database: Database,
  organizationId: string,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Project[]> {
  let query = projects(database).where('project.organization_id', '=', organizationId);
  if (page.after !== undefined) query = query.where('project.id', '>', page.after);
  return (await query.orderBy('project.id').limit(page.limit).execute()).map(projectOf);
}

export async function insertProject(
  database: Database,
  project: Project & { readonly createdBy: string },
): Promise<void> {
  await database
    .insertInto('storage.project')
    .values({
      id: project.id,
      organization_id: project.organization.id,
      workspace_id: project.workspaceId,
      name: project.name,
      folded_name: foldName(project.name),
      created_by: project.createdBy,
      created_at: isoMicroseconds(project.createdAt),
      updated_at: isoMicroseconds(project.updatedAt),
    })
    .execute()
    .catch((error: unknown) => raiseIfTaken(project.name, error));
}

function raiseIfTaken(name: string, error: unknown): never {
  if (violatedConstraint(error) === 'project_live_name') raiseNameTaken(name, error);
  throw error;
}

export async function updateProject(
  database: Database,
  id: ProjectId,
  change: { readonly name?: EntryName; readonly trashedAt?: EpochMicroseconds | null },
  now: EpochMicroseconds,
): Promise<void> {
  const { name, trashedAt } = change;
  await database
    .updateTable('storage.project')
    .set({
      ...(name !== undefined && { name, folded_name: foldName(name) }),
      ...(trashedAt !== undefined && { trashed_at: trashedAt === null ? null : isoMicroseconds(trashedAt) }),
      updated_at: isoMicroseconds(now),
    })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => raiseIfTaken(name ?? '', error));
}

/**
 * Serializes moves, restores and purges of one project, and excludes concurrent creations in it: two opposing moves
 * cannot form a cycle, and nothing is added to a folder during its removal.
 */
export async function lockTree(database: Database, id: ProjectId): Promise<void> {
  await database.selectFrom('storage.project').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** For creations and renames: concurrent with each other, but not with a move. */
export async function shareTree(database: Database, id: ProjectId): Promise<void> {
  await database.selectFrom('storage.project').select('id').where('id', '=', id).forShare().execute();
}

/** Also those in the trash already. Those trashed at `trashedAt` are removed when their grace period ends. */
export async function trashAllProjects(
  database: Database,
  organizationId: string,
  trashedAt: EpochMicroseconds,
): Promise<void> {
  await database
    .updateTable('storage.project')
    .set({ trashed_at: isoMicroseconds(trashedAt) })
    .where('organization_id', '=', organizationId)
    .execute();
}

export interface StorageContents {
  /** Including trashed ones. */
  readonly projects: number;
  readonly links: number;
  readonly bytes: number;
}

/** The stored data of an organization, for the page that deletes it. */
export async function countStorageContents(
  database: Database,
  organizationId: string,
): Promise<StorageContents> {
  const { rows } = await sql<{ projects: string; links: string; bytes: string }>`
    SELECT (SELECT count(*) FROM storage.project WHERE organization_id = ${organizationId}) AS projects,
      (SELECT count(*) FROM storage.link JOIN storage.project ON project.id = link.project_id
        WHERE project.organization_id = ${organizationId}) AS links,
      coalesce((SELECT used_bytes FROM storage.usage WHERE organization_id = ${organizationId}), 0) AS bytes`.execute(
    database,
  );
  const [{ projects, links, bytes } = { projects: 0, links: 0, bytes: 0 }] = rows;
  return { projects: Number(projects), links: Number(links), bytes: Number(bytes) };
}

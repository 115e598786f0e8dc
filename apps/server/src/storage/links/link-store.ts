import { sql } from 'kysely';

import type { callers } from '../../access/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { credentials } from '../../identity/index.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import type { ProjectId } from '../projects/project.ts';
import type { EntryKind } from '../storage-actions.ts';
import type { Link, LinkId } from './link.ts';
import { hashOfLinkSecret } from './link.ts';

/** Unexpired links whose API key, if one created them, is still valid. */
function liveLinks(database: Database, now: EpochMicroseconds) {
  const at = isoMicroseconds(now);
  return database
    .selectFrom('storage.link as link')
    .innerJoin('storage.entry as entry', (join) =>
      join.onRef('entry.project_id', '=', 'link.project_id').onRef('entry.id', '=', 'link.entry_id'),
    )
    .innerJoin('identity.account as maker', 'maker.id', 'link.created_by')
    .leftJoin('identity.api_key as key', 'key.id', 'link.via_key_id')
    .select([
      'link.id',
      'link.project_id',
      'link.entry_id',
      'entry.kind',
      'entry.name',
      'link.created_by',
      'maker.username',
      'link.via_key_id',
      'key.permissions as key_limit',
      'link.created_at',
      'link.expires_at',
      'link.password_hash',
      'link.opened_count',
      'link.last_opened_at',
    ])
    .where('link.expires_at', '>', at)
    .where(
      sql<boolean>`(link.via_key_id IS NULL OR (key.id IS NOT NULL AND key.revoked_at IS NULL
        AND (key.expires_at IS NULL OR key.expires_at > ${at})))`,
    );
}

function linkOf(row: Awaited<ReturnType<ReturnType<typeof liveLinks>['executeTakeFirstOrThrow']>>): Link {
  return {
    id: row.id as LinkId,
    projectId: row.project_id as ProjectId,
    entryId: row.entry_id as EntryId,
    kind: row.kind as EntryKind,
    name: row.name,
    maker: { accountId: row.created_by as callers.Caller['accountId'], username: row.username },
    key:
      row.via_key_id === null
        ? null
        : { id: row.via_key_id, limit: row.key_limit as credentials.ApiKeyLimit | null },
    createdAt: fromTimestamptz(row.created_at),
    expiresAt: fromTimestamptz(row.expires_at),
    passwordHash: row.password_hash,
    openedCount: row.opened_count,
    lastOpenedAt: row.last_opened_at === null ? null : fromTimestamptz(row.last_opened_at),
  };
}

export async function findLinkBySecret(
  database: Database,
  secret: string,
  now: EpochMicroseconds,
): Promise<Link | null> {
  const hashes = [hashOfLinkSecret(secret, false), hashOfLinkSecret(secret, true)];
  const row = await liveLinks(database, now).where('link.secret_hash', 'in', hashes).executeTakeFirst();
  return row === undefined ? null : linkOf(row);
}

export async function findLink(database: Database, id: LinkId, now: EpochMicroseconds): Promise<Link | null> {
  const row = await liveLinks(database, now).where('link.id', '=', id).executeTakeFirst();
  return row === undefined ? null : linkOf(row);
}

/** Of one folder or file, or with null of the whole project. */
export async function selectLinks(
  database: Database,
  where: { readonly projectId: ProjectId; readonly entryId: EntryId | null },
  now: EpochMicroseconds,
  request: PageRequest<LinkId>,
): Promise<readonly Link[]> {
  let query = liveLinks(database, now).where('link.project_id', '=', where.projectId);
  if (where.entryId !== null) query = query.where('link.entry_id', '=', where.entryId);
  const columns = { createdAt: 'link.created_at', id: 'link.id' } as const;
  return (await selectPage(query, request, columns).execute()).map(linkOf);
}

/** The links that an account created, in one or all organizations, by id. */
export async function selectLinksMadeBy(
  database: Database,
  { accountId, organizationId }: { readonly accountId: string; readonly organizationId?: string },
  now: EpochMicroseconds,
  page: { readonly limit: number; readonly after?: string },
): Promise<readonly Link[]> {
  let query = liveLinks(database, now)
    .innerJoin('storage.project as project', 'project.id', 'link.project_id')
    .where('link.created_by', '=', accountId);
  if (organizationId !== undefined) query = query.where('project.organization_id', '=', organizationId);
  if (page.after !== undefined) query = query.where('link.id', '>', page.after);
  return (await query.orderBy('link.id').limit(page.limit).execute()).map(linkOf);
}

export async function countLinks(
  database: Database,
  { projectId, id }: Entry,
  now: EpochMicroseconds,
): Promise<number> {
  const { count } = await database
    .selectFrom('storage.link')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('project_id', '=', projectId)
    .where('entry_id', '=', id)
    .where('expires_at', '>', isoMicroseconds(now))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertLink(database: Database, link: Link, secretHash: Buffer): Promise<void> {
  await database
    .insertInto('storage.link')
    .values({
      id: link.id,
      project_id: link.projectId,
      entry_id: link.entryId,
      secret_hash: secretHash,
      via_key_id: link.key?.id ?? null,
      created_by: link.maker.accountId,
      created_at: isoMicroseconds(link.createdAt),
      expires_at: isoMicroseconds(link.expiresAt),
      password_hash: link.passwordHash,
    })
    .execute();
}

export async function countOpening(database: Database, id: LinkId, now: EpochMicroseconds): Promise<void> {
  await database
    .updateTable('storage.link')
    .set({ opened_count: sql`opened_count + 1`, last_opened_at: isoMicroseconds(now) })
    .where('id', '=', id)
    .execute();
}

/** False if it was deleted already. */
export async function deleteLink(database: Database, id: LinkId): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('storage.link')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** One or all links of an account, in any organization. */
export async function deleteLinksMadeBy(
  database: Database,
  accountId: string,
  only: string | null,
): Promise<void> {
  let query = database.deleteFrom('storage.link').where('created_by', '=', accountId);
  if (only !== null) query = query.where('id', '=', only);
  await query.execute();
}

/** For a restored database: links that were revoked since the backup cannot be distinguished from the others. */
export async function deleteAllLinks(database: Database): Promise<number> {
  const { numDeletedRows } = await database.deleteFrom('storage.link').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function deleteEndedLinks(database: Database, now: EpochMicroseconds): Promise<void> {
  await database.deleteFrom('storage.link').where('expires_at', '<=', isoMicroseconds(now)).execute();
}

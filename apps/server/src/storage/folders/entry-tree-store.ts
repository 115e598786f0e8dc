import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import { containsPattern } from '../../foundation/database/contains-pattern.ts';
import type { Database } from '../../foundation/database/database.ts';
import { orderPage, selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { ProjectId } from '../projects/project.ts';
import { findEntries } from './entry-store.ts';
import type { Entry, EntryId } from './entry.ts';
import { lineAbove } from './line-above.ts';
import type { ReadableBelow } from './readable-below.ts';
import { anywhere, every } from './readable-below.ts';

export interface SearchedPlace {
  readonly projectId: ProjectId;
  /** Null for the whole project. */
  readonly folderId: EntryId | null;
  readonly readable: ReadableBelow;
}

/** The terms are folded like names. */
export async function searchEntries(
  database: Database,
  place: SearchedPlace,
  terms: readonly string[],
  request: PageRequest<EntryId>,
): Promise<readonly Entry[]> {
  const rows = await searchQuery(database, place, terms, request).execute();
  return findEntries(
    database,
    place.projectId,
    rows.map(({ id }) => id as EntryId),
  );
}

/**
 * Names are matched by index and ordered first. Only then, as far as the page needs, each match is checked to be live
 * and readable, which walks up the tree: `OFFSET 0` keeps that out of the inner query.
 */
export function searchQuery(
  database: Database,
  { projectId, folderId, readable }: SearchedPlace,
  terms: readonly string[],
  request: PageRequest<EntryId>,
) {
  const grams = sql.join(
    terms.map((term) => sql`storage.name_grams(${projectId}, ${term})`),
    sql` || `,
  );
  const matched = database
    .selectFrom('storage.entry as entry')
    .select(['entry.id', 'entry.parent_id', 'entry.kind', 'entry.created_at', 'entry.folded_name'])
    .where('entry.project_id', '=', projectId)
    .where('entry.trashed_at', 'is', null)
    .where(sql<boolean>`storage.name_grams(entry.project_id, entry.folded_name) @> (${grams})`)
    .where(sql<boolean>`entry.folded_name LIKE ALL (${terms.map(containsPattern)}::text[])`);
  const inOrder = orderPage(matched, request, {
    createdAt: 'entry.created_at',
    id: 'entry.id',
    name: 'entry.folded_name',
  });
  const inFolder = folderId === null ? sql`true` : sql`${folderId} = ANY (folders)`;
  const query = database
    .selectFrom(inOrder.offset(0).as('found'))
    .select('found.id')
    .where(
      sql<boolean>`(
        WITH RECURSIVE line AS (
          SELECT above.id, above.parent_id, above.trashed_at
          FROM storage.entry above WHERE above.project_id = ${projectId} AND above.id = found.parent_id
          UNION ALL
          SELECT above.id, above.parent_id, above.trashed_at
          FROM ${lineAbove(projectId)}
        ), place AS (
          SELECT coalesce(array_agg(id::text), '{}') AS folders, bool_or(trashed_at IS NOT NULL) AS trashed FROM line
        )
        SELECT trashed IS NOT TRUE AND ${inFolder}
          AND ${isReadable(readable, { kind: sql`found.kind`, id: sql`found.id`, folders: sql`folders` })}
        FROM place
      )`,
    );
  return selectPage(query, request, {
    createdAt: 'found.created_at',
    id: 'found.id',
    name: 'found.folded_name',
  });
}

/**
 * The descendants of a place that the caller could reach: nothing below an unreadable folder. At most this many,
 * unordered.
 */
export async function selectTree(
  database: Database,
  { projectId, folderId, folders, readable }: SearchedPlace & { readonly folders: readonly EntryId[] },
  limit: number,
): Promise<readonly Entry[]> {
  const here = folderId === null ? sql`entry.parent_id IS NULL` : sql`entry.parent_id = ${folderId}`;
  const readableIn = (above: RawBuilder<unknown>): RawBuilder<boolean> =>
    isReadable(readable, { kind: sql`entry.kind`, id: sql`entry.id`, folders: above });
  const { rows } = await sql<{ id: EntryId }>`
    WITH RECURSIVE tree AS (
      SELECT entry.id, entry.kind, ${[...folders]}::text[] AS folders FROM storage.entry
      WHERE entry.project_id = ${projectId} AND ${here} AND entry.trashed_at IS NULL
        AND ${readableIn(sql`${[...folders]}::text[]`)}
      UNION ALL
      SELECT entry.id, entry.kind, tree.id::text || tree.folders
      FROM tree CROSS JOIN LATERAL (
        SELECT id, kind FROM storage.entry
        WHERE project_id = ${projectId} AND parent_id = tree.id AND trashed_at IS NULL
        -- Kept apart, so that the index is asked for each folder, whatever statistics say about the project.
        OFFSET 0
      ) AS entry
      WHERE tree.kind = 'folder' AND ${readableIn(sql`(tree.id::text || tree.folders)`)}
    )
    SELECT id FROM tree LIMIT ${limit}`.execute(database);
  return findEntries(
    database,
    projectId,
    rows.map(({ id }) => id),
  );
}

/** For an entry with these folders above it, given as text. */
export function isReadable(
  readable: ReadableBelow,
  entry: {
    readonly kind: RawBuilder<unknown>;
    readonly id: RawBuilder<unknown>;
    readonly folders: RawBuilder<unknown>;
  },
): RawBuilder<boolean> {
  if (readable === 'all') return sql<boolean>`true`;
  const column = (of: 'kind' | 'above' | 'name') => readable.map((one) => one[of]);
  return sql<boolean>`EXISTS (
    SELECT FROM unnest(${column('kind')}::text[], ${column('above')}::text[], ${column('name')}::text[])
      AS allowed (kind, above, name)
    WHERE allowed.kind = ${entry.kind}
      AND (allowed.name = ${every} OR allowed.name = ${entry.id}::text)
      AND (allowed.above = ${anywhere} OR allowed.above = ANY (${entry.folders})
        OR (allowed.above = ${every} AND cardinality(${entry.folders}) > 0))
  )`;
}

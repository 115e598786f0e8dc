import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { selectPage } from '../../foundation/pagination/page-query.ts';
import type { PageRequest } from '../../foundation/pagination/page-request.ts';
import type { SavedSearchId } from './saved-search.ts';

export interface NewMatch {
  readonly searchId: SavedSearchId;
  readonly itemId: Id<'item'>;
  readonly storyId: Id<'story'> | null;
  readonly matchedAt: EpochMicroseconds;
  /** Null if it is shown at once. */
  readonly awaitsSources: number | null;
  readonly isEarlier: boolean;
  readonly isToMail: boolean;
}

/**
 * An item matches a search once: a match that is shown stays as it is, except that one of an item published after the search
 * was saved is no longer earlier. Returns those that are shown or new from now on.
 */
export async function insertMatches(
  database: Database,
  matches: readonly NewMatch[],
  published: readonly Id<'item'>[] = [],
): Promise<readonly ReleasedMatch[]> {
  if (matches.length === 0) return [];
  const each = <Value>(of: (match: NewMatch) => Value): Value[] => matches.map(of);
  const { rows } = await sql<{
    search_id: string;
    item_id: string;
    awaits_sources: number | null;
  }>`${preparedAs('insert-matches')}
    INSERT INTO watch.match
      (search_id, item_id, matched_at, awaits_sources, story_id, is_earlier, is_to_mail)
    SELECT search_id, item_id, matched_at, awaits_sources, story_id, is_earlier, is_to_mail
    FROM unnest(
      ${each(({ searchId }) => searchId)}::uuid[],
      ${each(({ itemId }) => itemId)}::uuid[],
      ${each(({ matchedAt }) => toTimestamptz(matchedAt))}::timestamptz[],
      ${each(({ awaitsSources }) => awaitsSources)}::smallint[],
      ${each(({ storyId }) => storyId)}::uuid[],
      ${each(({ isEarlier }) => isEarlier)}::boolean[],
      ${each(({ isToMail }) => isToMail)}::boolean[])
      AS new (search_id, item_id, matched_at, awaits_sources, story_id, is_earlier, is_to_mail)
    -- A search may have been deleted meanwhile.
    WHERE EXISTS (SELECT FROM watch.saved_search WHERE id = search_id FOR KEY SHARE)
    -- One that waits for sources may have come into another story.
    ON CONFLICT (search_id, item_id) DO UPDATE SET story_id = excluded.story_id,
      awaits_sources = excluded.awaits_sources, matched_at = excluded.matched_at,
      is_earlier = false,
      is_to_mail = CASE WHEN match.is_earlier THEN excluded.is_to_mail ELSE match.is_to_mail END
      WHERE match.awaits_sources IS NOT NULL
        -- Published while the search was being saved: it was already listed.
        OR match.is_earlier AND excluded.item_id = ANY (${[...published]}::uuid[])
    RETURNING search_id, item_id, awaits_sources`.execute(database);
  return rows.filter((row) => row.awaits_sources === null).map(releasedOf);
}

/** A match that readers see from now on. */
export interface ReleasedMatch {
  readonly searchId: SavedSearchId;
  readonly itemId: Id<'item'>;
}

function releasedOf(row: { readonly search_id: string; readonly item_id: string }): ReleasedMatch {
  return { searchId: row.search_id as SavedSearchId, itemId: row.item_id as Id<'item'> };
}

/** Shows the matches whose stories have enough sources now. They count as matched now. */
export async function releaseMatches(
  database: Database,
  stories: readonly { readonly id: string; readonly sourceCount: number }[],
  now: EpochMicroseconds,
): Promise<readonly ReleasedMatch[]> {
  if (stories.length === 0) return [];
  const { rows } = await sql<{ search_id: string; item_id: string }>`
    UPDATE watch.match SET awaits_sources = NULL, matched_at = ${toTimestamptz(now)}
    FROM unnest(
      ${stories.map(({ id }) => id)}::uuid[], ${stories.map(({ sourceCount }) => sourceCount)}::integer[])
      AS story (id, source_count)
    WHERE match.story_id = story.id AND match.awaits_sources <= story.source_count
    RETURNING search_id, item_id`.execute(database);
  return rows.map(releasedOf);
}

export interface ShownMatch {
  readonly searchId: SavedSearchId;
  /** Of the item. */
  readonly id: Id<'item'>;
  /** When it matched; named as lists are sorted. */
  readonly createdAt: EpochMicroseconds;
}

const shown = (database: Database) =>
  database
    .selectFrom('watch.match')
    .select(['search_id', 'item_id', 'matched_at'])
    .where('awaits_sources', 'is', null);

function matchOf(row: {
  readonly search_id: string;
  readonly item_id: string;
  readonly matched_at: string;
}): ShownMatch {
  return {
    searchId: row.search_id as SavedSearchId,
    id: row.item_id as Id<'item'>,
    createdAt: fromTimestamptz(row.matched_at),
  };
}

/** A page of the matches of a search, newest first. */
export async function selectMatches(
  database: Database,
  searchId: SavedSearchId,
  request: PageRequest<Id<'item'>>,
): Promise<readonly ShownMatch[]> {
  const query = shown(database).where('search_id', '=', searchId);
  const rows = await selectPage(query, request, { createdAt: 'matched_at', id: 'item_id' }).execute();
  return rows.map(matchOf);
}

/** The newest matches of some searches together. */
export async function newestMatches(
  database: Database,
  searchIds: readonly SavedSearchId[],
  rowsMax: number,
): Promise<readonly ShownMatch[]> {
  if (searchIds.length === 0) return [];
  const rows = await shown(database)
    .where('search_id', 'in', [...searchIds])
    .orderBy('matched_at', 'desc')
    .orderBy('item_id', 'desc')
    .limit(rowsMax)
    .execute();
  return rows.map(matchOf);
}

/** Matches that were not mailed yet are not mailed any more, also those that a waiting mail would contain. */
export async function cancelMailOf(database: Database, searchId: SavedSearchId): Promise<void> {
  await sql`
    UPDATE watch.match SET is_to_mail = false
    WHERE search_id = ${searchId} AND is_to_mail AND (mail_id IS NULL
      OR EXISTS (SELECT FROM watch.mail WHERE mail.id = match.mail_id AND mail.state = 'waiting'))`.execute(
    database,
  );
}

export async function deleteMatches(database: Database, searchId: SavedSearchId): Promise<void> {
  await database.deleteFrom('watch.match').where('search_id', '=', searchId).execute();
}

/** The next entry of the public log, locked; null while another worker matches. */
export async function lockProgress(database: Database): Promise<bigint | null> {
  const { rows } = await sql<{ next_leaf: bigint }>`
    SELECT next_leaf FROM watch.progress FOR UPDATE SKIP LOCKED`.execute(database);
  return rows[0]?.next_leaf ?? null;
}

export async function writeProgress(database: Database, nextLeaf: bigint): Promise<void> {
  await sql`UPDATE watch.progress SET next_leaf = ${nextLeaf.toString()}::bigint`.execute(database);
}

import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ListedItem } from './item-reading-store.ts';

export interface ArchiveSearch {
  /** The words of each query must all occur. */
  readonly queries: readonly (readonly string[])[];
  readonly until: EpochMicroseconds;
  readonly rowsPerQuery: number;
}

/** A selected item of any age, and the place of the query that found it. */
export interface ArchiveMatch extends ListedItem {
  readonly query: number;
}

interface Row {
  readonly query: number;
  readonly id: string;
  readonly key: string;
  readonly body: string;
  readonly story_id: string | null;
}

/**
 * The newest selected items with the words of each query. A query reads one slice of 30 days after the other, newest
 * first, until it has enough: a common word costs as much as a slice, a rare one a lookup in each slice.
 */
export async function searchArchive(
  database: Database,
  { queries, until, rowsPerQuery }: ArchiveSearch,
): Promise<readonly ArchiveMatch[]> {
  const { rows } = await sql<Row>`
    SELECT wanted.place::integer - 1 AS query, item.id, found.key, item.body, item.story_id
    FROM unnest(${queries.map((words) => words.join(' '))}::text[]) WITH ORDINALITY AS wanted (words, place)
    CROSS JOIN LATERAL (SELECT record.search_words(wanted.words) AS words OFFSET 0) AS searched
    CROSS JOIN LATERAL (
      SELECT matched.id, matched.key
      FROM generate_series(
        record.archive_slice(${toTimestamptz(until)}::timestamptz),
        (SELECT record.archive_slice(discovered_at) FROM record.item WHERE selected ORDER BY discovered_at LIMIT 1),
        -1
      ) AS slice
      CROSS JOIN LATERAL (
        SELECT one.id, one.discovered_at AS key FROM record.item AS one
        WHERE one.selected AND record.archive_words(one.discovered_at, one.title, one.original_title, one.summary)
          @> (SELECT array_agg(slice || ':' || word) FROM unnest(searched.words) AS word)
        ORDER BY one.discovered_at DESC OFFSET 0
      ) AS matched
      WHERE cardinality(searched.words) > 0
      LIMIT ${rowsPerQuery}
    ) AS found
    JOIN record.item ON item.id = found.id AND item.body IS NOT NULL
    ORDER BY wanted.place, found.key DESC, item.id`.execute(database);
  return rows.map(({ query, id, key, body, story_id }) => ({
    query,
    id: id as Id<'item'>,
    key: fromTimestamptz(key),
    body,
    storyId: story_id as Id<'story'> | null,
  }));
}

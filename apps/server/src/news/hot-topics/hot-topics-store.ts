import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

export interface HotTopicRow {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly original_url: string;
  readonly published_at: string | null;
  readonly discovered_at: string;
  readonly source_name: string;
  readonly story_id: string | null;
  /** Of the evidence that stands, earliest first; null where none of it does. */
  readonly source_names: readonly string[] | null;
  readonly latest_at: string | null;
}

export interface LatestRanking {
  readonly rankedAt: string;
  readonly rows: readonly HotTopicRow[];
}

/** One statement, so that a ranking is never mixed with the entries of the next. */
export async function readLatestRanking(database: Database): Promise<LatestRanking | null> {
  const { rows } = await sql<{ ranked_at: string; entry: HotTopicRow | null }>`
    WITH latest AS (SELECT id, ranked_at FROM record.ranking ORDER BY ranked_at DESC LIMIT 1)
    SELECT latest.ranked_at, to_jsonb(entry) - 'rank' AS entry
    FROM latest LEFT JOIN LATERAL (
      SELECT e.rank, i.id, i.title, i.summary, i.category, i.original_url,
        i.published_at::text, i.discovered_at::text, s.name AS source_name,
        i.story_id, standing.source_names, standing.latest_at
      FROM record.ranking_entry e
      JOIN record.item i ON i.id = e.item_id AND i.withdrawn_at IS NULL
      JOIN record.source s ON s.id = i.source_id
      CROSS JOIN LATERAL (
        SELECT array_agg(named.source_name ORDER BY named.first_at, named.source_name) AS source_names,
          max(named.last_at)::text AS latest_at
        FROM (
          SELECT v.source_name, min(v.reported_at) AS first_at, max(v.reported_at) AS last_at
          FROM record.ranking_evidence v
          JOIN record.item cited ON cited.id = v.item_id AND cited.withdrawn_at IS NULL
          WHERE v.ranking_id = e.ranking_id AND v.rank = e.rank
          GROUP BY v.source_name
        ) AS named
      ) AS standing
      WHERE e.ranking_id = latest.id
    ) AS entry ON true
    ORDER BY entry.rank`.execute(database);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    rankedAt: first.ranked_at,
    rows: rows.map(({ entry }) => entry).filter((entry) => entry !== null),
  };
}

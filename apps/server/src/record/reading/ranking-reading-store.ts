import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { RecordView } from '../items/record-view.ts';
import { presentView } from '../items/record-view.ts';
import { independentSources } from '../items/voice-store.ts';
import { bestItemIn, itemLanguageSql } from './story-words-store.ts';

/** One entry of a ranking, with the current state of its item. */
export interface RankedItem {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly language: string | null;
  readonly summary: string;
  readonly category: string;
  readonly originalUrl: string;
  readonly publishedAt: EpochMicroseconds | null;
  readonly discoveredAt: EpochMicroseconds;
  readonly sourceName: string;
  readonly storyId: Id<'story'> | null;
  /** Of evidence that is not withdrawn, in order of publication. */
  readonly sourceNames: readonly string[];
  /** Independent sources of the whole story, and those of the ranked hours alone. */
  readonly sourceCount: number;
  readonly recentSourceCount: number;
  readonly latestAt: EpochMicroseconds;
}

export interface RecordedRanking {
  readonly rankedAt: EpochMicroseconds;
  /** Without items withdrawn since; the remaining ones move up. */
  readonly items: readonly RankedItem[];
}

interface RankedRow {
  readonly id: Id<'item'>;
  readonly title: string;
  readonly language: string | null;
  readonly summary: string;
  readonly category: string;
  readonly originalUrl: string;
  readonly publishedAt: string | null;
  readonly discoveredAt: string;
  readonly sourceName: string;
  readonly storyId: Id<'story'> | null;
  /** Null if all of the evidence is withdrawn. */
  readonly sourceNames: readonly string[] | null;
  readonly sourceCount: number;
  readonly recentSourceCount: number;
  readonly latestAt: string | null;
}

/**
 * One statement, so that a ranking is never mixed with the entries of the next. Each entry is represented by its best
 * report in the language, if its story has one.
 */
export async function readLatestRanking(
  database: Database,
  language: ReaderLanguage,
  view: RecordView = presentView,
): Promise<RecordedRanking | null> {
  const { rows } = await sql<{
    ranked_at: string;
    entry: RankedRow | null;
  }>`${view.prepared('read-latest-ranking')}
    WITH latest AS (
      SELECT id, ranked_at FROM record.ranking WHERE ${view.isPast(sql`ranked_at`)} ORDER BY ranked_at DESC LIMIT 1)
    SELECT latest.ranked_at, to_jsonb(entry) - 'rank' AS entry
    FROM latest LEFT JOIN LATERAL (
      SELECT e.rank, i.id, i.title, i.language, i.summary, i.category, i.original_url AS "originalUrl",
        i.published_at::text AS "publishedAt", i.discovered_at::text AS "discoveredAt", s.name AS "sourceName",
        i.story_id AS "storyId", standing."sourceNames", standing."latestAt", standing."recentSourceCount",
        CASE WHEN i.story_id IS NULL THEN standing."recentSourceCount"
          ELSE ${independentSources(sql.ref('i.story_id'), view)} END AS "sourceCount"
      FROM record.ranking_entry e
      JOIN ${view.item(sql`e.item_id`)} ranked
        ON ranked.id = e.item_id AND ranked.withdrawn_at IS NULL AND ${view.hasWords('ranked')}
      LEFT JOIN LATERAL ${bestItemIn(language, sql.ref('ranked.story_id'), view)} AS best
        ON ${itemLanguageSql('ranked')} IS DISTINCT FROM ${language}
      JOIN ${view.item(sql`coalesce(best.id, ranked.id)`)} i ON i.id = coalesce(best.id, ranked.id)
      JOIN ${view.source(sql`i.source_id`)} s ON s.id = i.source_id
      CROSS JOIN LATERAL (
        SELECT array_agg(named.source_name ORDER BY named.first_at, named.source_name) AS "sourceNames",
          max(named.last_at)::text AS "latestAt", (
            SELECT count(DISTINCT v.owner)
            FROM record.ranking_evidence v
            JOIN ${view.item(sql`v.item_id`)} cited ON cited.id = v.item_id AND cited.withdrawn_at IS NULL
            WHERE v.ranking_id = e.ranking_id AND v.rank = e.rank
          ) AS "recentSourceCount"
        FROM (
          SELECT v.source_name, min(v.reported_at) AS first_at, max(v.reported_at) AS last_at
          FROM record.ranking_evidence v
          JOIN ${view.item(sql`v.item_id`)} cited ON cited.id = v.item_id AND cited.withdrawn_at IS NULL
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
    rankedAt: fromTimestamptz(first.ranked_at),
    items: rows.flatMap(({ entry }) => (entry === null ? [] : [rankedItemOf(entry)])),
  };
}

/** The positions in one ranking, by story if the item has one, else by item. */
export interface RankPositions {
  readonly rankedAt: EpochMicroseconds;
  readonly ranks: ReadonlyMap<string, number>;
}

/** The last ranking of each of these half-open spans, oldest first; spans without one are omitted. */
export async function readRankPositions(
  database: Database,
  spans: readonly { readonly from: EpochMicroseconds; readonly to: EpochMicroseconds }[],
): Promise<readonly RankPositions[]> {
  const { rows } = await sql<{ ranked_at: string; entries: readonly (readonly [string, number])[] }>`
    SELECT latest.ranked_at, (
      SELECT coalesce(jsonb_agg(jsonb_build_array(coalesce(item.story_id, item.id), entry.rank)), '[]')
      FROM record.ranking_entry AS entry
      JOIN record.item ON item.id = entry.item_id AND item.withdrawn_at IS NULL
      WHERE entry.ranking_id = latest.id
    ) AS entries
    FROM unnest(
      ${spans.map(({ from }) => toTimestamptz(from))}::timestamptz[],
      ${spans.map(({ to }) => toTimestamptz(to))}::timestamptz[]) AS span (starts, ends)
    CROSS JOIN LATERAL (
      SELECT id, ranked_at FROM record.ranking WHERE ranked_at >= span.starts AND ranked_at < span.ends
      ORDER BY ranked_at DESC LIMIT 1
    ) AS latest
    ORDER BY latest.ranked_at`.execute(database);
  return rows.map(({ ranked_at, entries }) => ({
    rankedAt: fromTimestamptz(ranked_at),
    ranks: new Map(entries),
  }));
}

function rankedItemOf(row: RankedRow): RankedItem {
  return {
    ...row,
    publishedAt: row.publishedAt === null ? null : fromTimestamptz(row.publishedAt),
    discoveredAt: fromTimestamptz(row.discoveredAt),
    sourceNames: row.sourceNames ?? [row.sourceName],
    sourceCount: Math.max(1, row.sourceCount),
    recentSourceCount: Math.max(1, row.recentSourceCount),
    latestAt: fromTimestamptz(row.latestAt ?? row.discoveredAt),
  };
}

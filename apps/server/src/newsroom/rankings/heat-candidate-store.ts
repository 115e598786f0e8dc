import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Publisher } from '../../record/index.ts';

export type HeatCandidate = Parameters<Publisher['publishRanking']>[0]['candidates'][number];

export interface HeatRules {
  /** What a report weighs by the tier of its source, the first tier first. */
  readonly tierWeights: readonly number[];
  /** Of items whose source the newsroom does not know, as after an import. */
  readonly unknownTier: number;
  readonly countedMs: number;
  readonly ranksMax: number;
}

interface ReportRow {
  readonly item_id: Id<'item'>;
  readonly story_id: Id<'story'>;
  readonly owner: string;
  readonly source_name: string;
  readonly first_party: boolean;
  readonly weight: number;
  readonly reported_at: string;
  /** Whether it may stand for its story. */
  readonly editorial: boolean;
}

/**
 * The reports of the stories that can be among the first, and of no others: heat is worked out twice, here to leave out
 * hundreds of thousands and by the record exactly, so everything within a rounding error of the last rank is kept.
 * What repeats an earlier report of its reading group weighs nothing and is not read.
 */
export async function readHeatCandidates(
  database: Database,
  at: EpochMicroseconds,
  { tierWeights, unknownTier, countedMs, ranksMax }: HeatRules,
): Promise<readonly HeatCandidate[]> {
  const [from, to] = [toTimestamptz(addMs(at, -countedMs)), toTimestamptz(at)];
  const { rows } = await sql<ReportRow>`
    WITH report AS MATERIALIZED (
      SELECT item.id AS item_id, item.story_id, item.timeline_at AS reported_at, item.selected, item.score,
        source.owner, source.name AS source_name, source.first_party,
        (${[...tierWeights]}::double precision[])[coalesce(known.tier, ${unknownTier})] AS weight,
        coalesce(known.participation, 'editorial') = 'editorial' AS editorial
      FROM record.window_item AS shown
      JOIN record.item ON item.id = shown.id
      JOIN record.source ON source.id = item.source_id
      LEFT JOIN newsroom.source AS known ON known.id = item.source_id
      WHERE shown.discovered_at BETWEEN ${from} AND ${to} AND item.timeline_at >= ${from}
        AND item.story_id IS NOT NULL
        AND NOT EXISTS (
          SELECT FROM record.item AS earlier
          WHERE earlier.group_id = item.group_id AND earlier.withdrawn_at IS NULL
            AND (earlier.discovered_at, earlier.id) < (item.discovered_at, item.id))
    ), owner_heat AS (
      SELECT story_id, owner, bool_or(editorial) AS editorial,
        max(weight * power(2, -extract(epoch FROM ${to}::timestamptz - reported_at)::double precision / 86400)) AS heat
      FROM report GROUP BY story_id, owner
    ), story_heat AS (
      SELECT story_id, sum(heat) AS heat FROM owner_heat GROUP BY story_id
      HAVING count(*) >= 2 AND bool_or(editorial)
    ), last_rank AS (
      SELECT min(heat) AS heat FROM (SELECT heat FROM story_heat ORDER BY heat DESC LIMIT ${ranksMax}) AS first
    )
    SELECT item_id, story_id, owner, source_name, first_party, weight, reported_at, editorial
    FROM report JOIN story_heat USING (story_id), last_rank
    WHERE story_heat.heat >= last_rank.heat * (1 - 1e-9)
    ORDER BY story_id, editorial DESC, selected DESC, score DESC NULLS LAST, reported_at, item_id`.execute(
    database,
  );
  return [...Map.groupBy(rows, ({ story_id }) => story_id).values()].flatMap(([best, ...others]) =>
    best === undefined ? [] : [candidateOf(best, others)],
  );
}

function candidateOf(best: ReportRow, others: readonly ReportRow[]): HeatCandidate {
  return {
    itemId: best.item_id,
    reports: [best, ...others].map((row) => ({
      itemId: row.item_id,
      owner: row.owner,
      sourceName: row.source_name,
      firstParty: row.first_party,
      weight: row.weight,
      reportedAt: fromTimestamptz(row.reported_at),
    })),
  };
}

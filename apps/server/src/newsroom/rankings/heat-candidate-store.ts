import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Publisher } from '../../record/index.ts';
import { items as recordItems } from '../../record/index.ts';

export type HeatCandidate = Parameters<Publisher['publishRanking']>[0]['candidates'][number];

export interface HeatRules {
  /** The weight of an item by the tier of its source, the first tier first. */
  readonly tierWeights: readonly number[];
  /** The tier of items without a source of the newsroom, as after an import. */
  readonly unknownTier: number;
  readonly countedMs: number;
  readonly ranksMax: number;
}

interface ItemRow {
  readonly item_id: Id<'item'>;
  readonly story_id: Id<'story'>;
  /** The owner that it counts for. */
  readonly owner: string;
  readonly source_name: string;
  readonly first_party: boolean;
  readonly weight: number;
  readonly reported_at: string;
  /** Whether it may represent its story. */
  readonly editorial: boolean;
}

/**
 * The items of the stories that can reach the top, and of no others: heat is computed twice, here to exclude hundreds
 * of thousands and by the record exactly, so all stories within a rounding error of the last rank are included. Items
 * that repeat an earlier item of their reading group have no weight and are not read.
 */
export async function readHeatCandidates(
  database: Database,
  at: EpochMicroseconds,
  { tierWeights, unknownTier, countedMs, ranksMax }: HeatRules,
): Promise<readonly HeatCandidate[]> {
  const [from, to] = [toTimestamptz(addMs(at, -countedMs)), toTimestamptz(at)];
  const weight = sql`(${[...tierWeights]}::double precision[])[coalesce(known.tier, ${unknownTier})]`;
  const counted = countedItems(from, to);
  const { rows } = await sql<ItemRow>`
    WITH owner_heat AS (
      SELECT item.story_id, ${recordItems.voiceOf()} AS heard, bool_or(${isEditorial}) AS editorial,
        max(${weight} * power(2, -extract(epoch FROM ${to}::timestamptz - item.timeline_at)::double precision / 86400)) AS heat
      FROM ${counted} AND item.story_id IS NOT NULL
      GROUP BY item.story_id, heard
    ), story_heat AS (
      SELECT story_id, sum(heat) AS heat FROM owner_heat GROUP BY story_id
      HAVING count(*) >= 2 AND bool_or(editorial)
    ), hottest AS (
      SELECT story_id FROM story_heat
      WHERE heat >= (1 - 1e-9) * (
        SELECT min(heat) FROM (SELECT heat FROM story_heat ORDER BY heat DESC LIMIT ${ranksMax}) AS first)
    )
    SELECT report.* FROM hottest CROSS JOIN LATERAL (
      SELECT item.id AS item_id, item.story_id, ${recordItems.voiceOf()} AS owner, source.name AS source_name, source.first_party,
        ${weight} AS weight, item.timeline_at AS reported_at, ${isEditorial} AS editorial, item.selected, item.score
      FROM ${counted} AND item.story_id = hottest.story_id AND shown.discovered_at = item.discovered_at
      -- Story by story, through indexes: the planner cannot know how few the hottest are.
      OFFSET 0
    ) AS report
    ORDER BY story_id, editorial DESC, selected DESC, score DESC NULLS LAST, reported_at, item_id`.execute(
    database,
  );
  return [...Map.groupBy(rows, ({ story_id }) => story_id).values()].flatMap(([best, ...others]) =>
    best === undefined ? [] : [candidateOf(best, others)],
  );
}

const isEditorial = sql<boolean>`(coalesce(known.participation, 'editorial') = 'editorial')`;

/** Tables and conditions of counted items; more conditions may follow. */
function countedItems(from: string, to: string): RawBuilder<unknown> {
  return sql`
    record.item
    JOIN record.window_item AS shown ON shown.id = item.id
    JOIN record.source ON source.id = item.source_id
    LEFT JOIN newsroom.source AS known ON known.id = item.source_id
    WHERE shown.discovered_at BETWEEN ${from} AND ${to} AND item.timeline_at >= ${from}
      AND NOT EXISTS (
        SELECT FROM record.item AS earlier
        WHERE earlier.group_id = item.group_id AND earlier.withdrawn_at IS NULL
          AND (earlier.discovered_at, earlier.id) < (item.discovered_at, item.id))`;
}

function candidateOf(best: ItemRow, others: readonly ItemRow[]): HeatCandidate {
  return {
    itemId: best.item_id,
    items: [best, ...others].map((row) => ({
      itemId: row.item_id,
      owner: row.owner,
      sourceName: row.source_name,
      firstParty: row.first_party,
      weight: row.weight,
      reportedAt: fromTimestamptz(row.reported_at),
    })),
  };
}

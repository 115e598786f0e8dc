import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { items as recordItems } from '../../record/index.ts';
import type { StoryDecisionKind } from '../stories/story-decision-store.ts';

/** The placement of an item of the record. */
export interface ItemStanding {
  readonly storyId: Id<'story'> | null;
  /** Independent owners of the items of its story that are not withdrawn; 1 without a story. */
  readonly owners: number;
  readonly groupId: Id<'reading-group'>;
  /**
   * How it was placed; null for an item that the newsroom did not place. A reprint inherits from the item that it
   * repeats if all earlier items of its reading group are withdrawn.
   */
  readonly placedBy: StoryDecisionKind | null;
  /** The representative of its reading group. */
  readonly representative: Representative | null;
}

export interface Representative {
  readonly id: Id<'item'>;
  readonly score: number;
  readonly tier: 1 | 2 | 3 | 4;
  readonly firstParty: boolean;
  readonly discoveredAt: EpochMicroseconds;
  /** A person selected it: rules do not replace it. */
  readonly isChosenByEditor?: boolean;
}

interface StandingRow {
  readonly group_id: Id<'reading-group'>;
  readonly story_id: Id<'story'> | null;
  readonly owners: number;
  readonly placed_by: StoryDecisionKind | null;
  readonly representative_id: Id<'item'> | null;
  readonly score: number | null;
  readonly tier: 1 | 2 | 3 | 4;
  readonly first_party: boolean;
  readonly discovered_at: string;
  readonly chosen_by_editor: boolean;
}

const chosenByEditor = sql<boolean>`
  EXISTS (SELECT FROM newsroom.item_override AS override WHERE override.item_id = chosen.id AND override.selection = 'selected')`;

/** Null if it is withdrawn or was never published. */
export async function readItemStanding(
  transaction: Transaction<DB>,
  itemId: Id<'item'>,
): Promise<ItemStanding | null> {
  const { rows } = await sql<StandingRow>`
    SELECT item.story_id, item.group_id,
      greatest(1, ${recordItems.independentSources(sql.ref('item.story_id'))}) AS owners,
      CASE WHEN placed.kind = 'same reading' AND NOT EXISTS (
        SELECT FROM record.item AS other JOIN newsroom.story_decision AS earlier ON earlier.item_id = other.id
        WHERE other.group_id = item.group_id AND other.withdrawn_at IS NULL AND earlier.id < placed.id)
      THEN coalesce((
        SELECT repeated.kind FROM record.item AS other
        JOIN newsroom.story_decision AS repeated ON repeated.item_id = other.id
        WHERE other.group_id = item.group_id AND repeated.kind IN ('open', 'join')
        ORDER BY repeated.id LIMIT 1), placed.kind)
      ELSE placed.kind END AS placed_by,
      chosen.id AS representative_id, chosen.score, origin.tier, origin.first_party, chosen.discovered_at,
      ${chosenByEditor} AS chosen_by_editor
    FROM record.item
    JOIN record.reading_group AS reading ON reading.id = item.group_id
    LEFT JOIN LATERAL (
      SELECT id, kind FROM newsroom.story_decision AS decision
      WHERE decision.item_id = item.id AND decision.kind NOT IN ('merge', 'split')
      ORDER BY decision.id LIMIT 1) AS placed ON true
    LEFT JOIN record.item AS chosen ON chosen.id = reading.representative_id
    LEFT JOIN newsroom.source AS origin ON origin.id = chosen.source_id
    WHERE item.id = ${itemId} AND item.withdrawn_at IS NULL`.execute(transaction);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    storyId: row.story_id,
    groupId: row.group_id,
    owners: row.owners,
    placedBy: row.placed_by,
    representative:
      row.representative_id === null
        ? null
        : representativeOf({ ...row, representative_id: row.representative_id }),
  };
}

type RepresentativeRow = Pick<
  StandingRow,
  'score' | 'tier' | 'first_party' | 'discovered_at' | 'chosen_by_editor'
> & {
  readonly representative_id: Id<'item'>;
};

function representativeOf(row: RepresentativeRow): Representative {
  return {
    id: row.representative_id,
    score: row.score ?? 0,
    // An item without a source of the newsroom has the lowest tier.
    tier: row.tier ?? 4,
    firstParty: row.first_party ?? false,
    discoveredAt: fromTimestamptz(row.discovered_at),
    isChosenByEditor: row.chosen_by_editor,
  };
}

/** The voices of the items of each story that are not withdrawn. */
export async function readVoices(
  transaction: Transaction<DB>,
  storyIds: readonly Id<'story'>[],
): Promise<ReadonlyMap<Id<'story'>, ReadonlySet<string>>> {
  if (storyIds.length === 0) return new Map();
  const { rows } = await sql<{ story_id: Id<'story'>; voices: string[] }>`${preparedAs('read-voices')}
    SELECT report.story_id, array_agg(DISTINCT ${recordItems.voiceOf('report')}) AS voices
    FROM record.item AS report JOIN record.source ON source.id = report.source_id
    WHERE report.story_id = ANY(${[...storyIds]}::uuid[]) AND report.withdrawn_at IS NULL
    GROUP BY report.story_id`.execute(transaction);
  return new Map(rows.map((row) => [row.story_id, new Set(row.voices)]));
}

/** The representative of each group. Locks the groups: no other transaction selects or withdraws in them meanwhile. */
export async function readRepresentatives(
  transaction: Transaction<DB>,
  groupIds: readonly Id<'reading-group'>[],
): Promise<ReadonlyMap<Id<'reading-group'>, Representative>> {
  if (groupIds.length === 0) return new Map();
  const { rows } = await sql<RepresentativeRow & { readonly group_id: Id<'reading-group'> }>`
    ${preparedAs('read-representatives')}
    SELECT reading.id AS group_id, chosen.id AS representative_id, chosen.score, origin.tier, origin.first_party,
      chosen.discovered_at, ${chosenByEditor} AS chosen_by_editor
    FROM (
      SELECT id, representative_id FROM record.reading_group
      WHERE id = ANY(${[...groupIds]}::uuid[]) ORDER BY id FOR NO KEY UPDATE
    ) AS reading
    JOIN record.item AS chosen ON chosen.id = reading.representative_id
    LEFT JOIN newsroom.source AS origin ON origin.id = chosen.source_id`.execute(transaction);
  return new Map(rows.map((row) => [row.group_id, representativeOf(row)]));
}

import type pg from 'pg';

import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import type { Publisher } from '../../../apps/server/src/record/index.ts';

type HeatCandidate = Parameters<Publisher['publishRanking']>[0]['candidates'][number];

const candidatesMax = 40;

interface ItemRow {
  readonly group_id: string;
  readonly id: Id<'item'>;
  readonly owner: string;
  readonly source_name: string;
  readonly first_party: boolean;
  readonly reported_at: bigint;
}

/** The newest reading groups with several items serve as topics: enough for a full Top 10. */
export async function topicsToRank(pool: pg.Pool): Promise<readonly HeatCandidate[]> {
  const { rows } = await pool.query<ItemRow>(
    `SELECT i.group_id, i.id, s.owner, s.name AS source_name, s.first_party,
       (extract(epoch FROM i.discovered_at) * 1000000)::bigint AS reported_at
     FROM record.item i JOIN record.source s ON s.id = i.source_id
     WHERE i.group_id IN (
       SELECT g.group_id FROM (
         SELECT group_id, discovered_at FROM record.item ORDER BY id DESC LIMIT 4000
       ) AS g GROUP BY g.group_id HAVING count(*) >= 3 ORDER BY max(g.discovered_at) DESC LIMIT ${candidatesMax})
     ORDER BY i.id`,
  );
  const groups = Map.groupBy(rows, (row) => row.group_id);
  return [...groups.values()].flatMap((items) => {
    const [first] = items;
    return first === undefined ? [] : [{ itemId: first.id, items: items.map(heatItem) }];
  });
}

function heatItem(row: ItemRow): HeatCandidate['items'][number] {
  return {
    itemId: row.id,
    owner: row.owner,
    sourceName: row.source_name,
    firstParty: row.first_party,
    weight: 1,
    reportedAt: epochMicroseconds(row.reported_at),
  };
}

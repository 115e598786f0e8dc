import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { RankedTopic } from './heat.ts';
import type { StoredRanking } from './stored-ranking-store.ts';

/** False if a ranking of that instant exists. */
export async function insertRanking(database: Database, ranking: StoredRanking): Promise<boolean> {
  const inserted = await database
    .insertInto('record.ranking')
    .values({
      id: ranking.id,
      ranked_at: toTimestamptz(ranking.rankedAt),
      rule_version: ranking.ruleVersion,
      contents_hash: ranking.contentsHash,
    })
    .onConflict((conflict) => conflict.column('ranked_at').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
  if (ranking.topics.length === 0) return true;
  await database
    .insertInto('record.ranking_entry')
    .values(
      ranking.topics.map(({ rank, itemId, heat }) => ({
        ranking_id: ranking.id,
        rank,
        item_id: itemId,
        heat,
      })),
    )
    .execute();
  await database
    .insertInto('record.ranking_evidence')
    .values(ranking.topics.flatMap((topic) => evidenceRows(ranking.id, topic)))
    .execute();
  return true;
}

function evidenceRows(rankingId: Id<'ranking'>, { rank, items }: RankedTopic) {
  return items.map((item) => ({
    ranking_id: rankingId,
    rank,
    item_id: item.itemId,
    owner: item.owner,
    source_name: item.sourceName,
    first_party: item.firstParty,
    weight: item.weight,
    reported_at: toTimestamptz(item.reportedAt),
  }));
}

/** Deletes all but the last of each hour that has ended, with entries, evidence and salts; returns the count. */
export async function thinRankingsBefore(
  database: Database,
  before: EpochMicroseconds,
  countMax: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH thinned AS (DELETE FROM record.ranking WHERE id IN (
      SELECT ranking.id FROM record.ranking
      WHERE ranked_at < date_trunc('hour', ${toTimestamptz(before)}::timestamptz, 'UTC')
        AND EXISTS (
          SELECT FROM record.ranking AS later
          WHERE later.ranked_at > ranking.ranked_at
            AND later.ranked_at < date_trunc('hour', ranking.ranked_at, 'UTC') + interval '1 hour')
      LIMIT ${countMax}) RETURNING id::text
    ), unproven AS (
      DELETE FROM record.log_content WHERE kind = 'ranking' AND subject IN (SELECT id FROM thinned)
    )
    SELECT count(*)::integer AS count FROM thinned`.execute(database);
  return rows[0]?.count ?? 0;
}

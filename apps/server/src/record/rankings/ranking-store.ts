import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { RankedTopic } from './heat.ts';

/** False where there is a ranking of that instant. */
export async function insertRanking(
  database: Database,
  ranking: {
    readonly id: Id<'ranking'>;
    readonly rankedAt: EpochMicroseconds;
    readonly topics: readonly RankedTopic[];
  },
): Promise<boolean> {
  const inserted = await database
    .insertInto('record.ranking')
    .values({ id: ranking.id, ranked_at: toTimestamptz(ranking.rankedAt) })
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

function evidenceRows(rankingId: Id<'ranking'>, { rank, reports }: RankedTopic) {
  return reports.map((report) => ({
    ranking_id: rankingId,
    rank,
    item_id: report.itemId,
    owner: report.owner,
    source_name: report.sourceName,
    first_party: report.firstParty,
    weight: report.weight,
    reported_at: toTimestamptz(report.reportedAt),
  }));
}

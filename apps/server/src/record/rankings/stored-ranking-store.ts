import type { Database } from '../../foundation/database/database.ts';
import { fromTimestamptz, toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { HeatItem, RankedTopic } from './heat.ts';

/** A published ranking with its evidence. */
export interface StoredRanking {
  readonly id: Id<'ranking'>;
  readonly rankedAt: EpochMicroseconds;
  readonly topics: readonly RankedTopic[];
  /** Both null in rankings from before they were stored. */
  readonly ruleVersion: string | null;
  readonly contentsHash: Buffer | null;
}

export async function readNewestRankings(
  database: Database,
  count: number,
): Promise<readonly StoredRanking[]> {
  const newest = await database
    .selectFrom('record.ranking')
    .select('id')
    .orderBy('ranked_at', 'desc')
    .limit(count)
    .execute();
  return readStoredRankings(
    database,
    newest.map(({ id }) => id as Id<'ranking'>),
  );
}

/** The last ranking before that instant; null if none exists. */
export async function findRankingBefore(
  database: Database,
  before: EpochMicroseconds,
): Promise<Id<'ranking'> | null> {
  const row = await database
    .selectFrom('record.ranking')
    .select('id')
    .where('ranked_at', '<', toTimestamptz(before))
    .orderBy('ranked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : (row.id as Id<'ranking'>);
}

/** The existing ones, newest first. */
export async function readStoredRankings(
  database: Database,
  ids: readonly Id<'ranking'>[],
): Promise<readonly StoredRanking[]> {
  if (ids.length === 0) return [];
  const rankings = await database
    .selectFrom('record.ranking')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('ranked_at', 'desc')
    .execute();
  const entries = await database
    .selectFrom('record.ranking_entry')
    .selectAll()
    .where('ranking_id', 'in', ids)
    .orderBy('rank')
    .execute();
  const evidence = await database
    .selectFrom('record.ranking_evidence')
    .selectAll()
    .where('ranking_id', 'in', ids)
    .execute();
  const entriesOf = Map.groupBy(entries, ({ ranking_id }) => ranking_id);
  const evidenceOf = Map.groupBy(evidence, ({ ranking_id, rank }) => `${ranking_id} ${rank}`);
  return rankings.map(({ id, ranked_at, rule_version, contents_hash }) => ({
    id: id as Id<'ranking'>,
    rankedAt: fromTimestamptz(ranked_at),
    ruleVersion: rule_version,
    contentsHash: contents_hash,
    topics: (entriesOf.get(id) ?? []).map(({ rank, item_id, heat }) => ({
      rank,
      heat,
      itemId: item_id as Id<'item'>,
      items: (evidenceOf.get(`${id} ${rank}`) ?? []).map(itemOf),
    })),
  }));
}

function itemOf(row: {
  readonly item_id: string;
  readonly owner: string;
  readonly source_name: string;
  readonly first_party: boolean;
  readonly weight: number;
  readonly reported_at: string;
}): HeatItem {
  return {
    itemId: row.item_id as Id<'item'>,
    owner: row.owner,
    sourceName: row.source_name,
    firstParty: row.first_party,
    weight: row.weight,
    reportedAt: fromTimestamptz(row.reported_at),
  };
}

import type { Transaction } from 'kysely';
import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import { preparedAs } from '../../foundation/database/prepared-statement.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { TextComparison } from './matching/syndication.ts';
import { alikeMin, alikeShareMin, halfLifeDays, syndicationRules } from './matching/syndication.ts';

const daySeconds = 86_400;
const pairsMax = 5_000;

/** The pairs of related owners. */
export async function readRelatedOwners(
  database: Database,
): Promise<readonly (readonly [owner: string, otherOwner: string])[]> {
  const { rows } = await sql<{ owner: string; other_owner: string }>`${preparedAs('read-related-owners')}
    SELECT owner, other_owner FROM newsroom.owner_syndication
    WHERE alike >= ${sql.lit(alikeMin)} AND alike >= ${alikeShareMin} * compared AND rule_version = ${syndicationRules}
    ORDER BY owner, other_owner LIMIT ${pairsMax}`.execute(database);
  return rows.map(({ owner, other_owner }) => [owner, other_owner]);
}

/** Adds comparisons to the counts of each pair. Requires the placement lock. */
export async function countComparisons(
  transaction: Transaction<DB>,
  comparisons: readonly TextComparison[],
  now: EpochMicroseconds,
): Promise<void> {
  if (comparisons.length === 0) return;
  const pairs = [
    ...Map.groupBy(comparisons, ({ owner, otherOwner }) => [owner, otherOwner].sort().join('\n')).values(),
  ].map((all) => {
    const [{ owner, otherOwner }] = all as [TextComparison];
    const alike = all.filter((comparison) => comparison.alike).length;
    return { owner, otherOwner, compared: all.length, alike };
  });
  const at = toTimestamptz(now);
  const carriedOver = sql`CASE WHEN known.rule_version = excluded.rule_version THEN
    power(0.5, greatest(0, extract(epoch FROM excluded.updated_at - known.updated_at))::double precision
      / ${sql.lit(halfLifeDays * daySeconds)}) ELSE 0 END`;
  await sql`${preparedAs('count-comparisons')}
    INSERT INTO newsroom.owner_syndication AS known (owner, other_owner, compared, alike, rule_version, updated_at)
    SELECT least(one COLLATE "C", other COLLATE "C"), greatest(one COLLATE "C", other COLLATE "C"), compared, alike,
      ${syndicationRules}, ${at}::timestamptz
    FROM unnest(
      ${pairs.map(({ owner }) => owner)}::text[],
      ${pairs.map(({ otherOwner }) => otherOwner)}::text[],
      ${pairs.map(({ compared }) => compared)}::double precision[],
      ${pairs.map(({ alike }) => alike)}::double precision[]) AS pair (one, other, compared, alike)
    ON CONFLICT (owner, other_owner) DO UPDATE SET
      compared = excluded.compared + known.compared * ${carriedOver},
      alike = excluded.alike + known.alike * ${carriedOver},
      rule_version = excluded.rule_version,
      updated_at = greatest(known.updated_at, excluded.updated_at)`.execute(transaction);
}

/** Returns the number of deleted pairs. */
export async function deleteComparisonsBefore(
  database: Database,
  before: EpochMicroseconds,
  countMax: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM newsroom.owner_syndication WHERE (owner, other_owner) IN (
      SELECT owner, other_owner FROM newsroom.owner_syndication
      WHERE updated_at < ${toTimestamptz(before)} LIMIT ${countMax})`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

/** How many of the sampled items contain each of these grams; those of one item or none have no entry. */
export async function readGramFrequencies(
  database: Database,
  grams: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ gram: number; items: number }>`
    SELECT gram, items FROM watch.gram_frequency WHERE gram = ANY (${[...grams]}::integer[])`.execute(
    database,
  );
  return new Map(rows.map(({ gram, items }) => [gram, items]));
}

/** Counts the grams of the newest items again. A gram of one item has no row. */
export async function countGrams(database: Database, itemsSampled: number): Promise<number> {
  await sql`DELETE FROM watch.gram_frequency`.execute(database);
  const { numAffectedRows = 0n } = await sql`
    WITH sample AS (
      SELECT search_grams FROM record.window_item ORDER BY timeline_key DESC, id DESC LIMIT ${itemsSampled}
    )
    INSERT INTO watch.gram_frequency (gram, items)
    SELECT gram, count(*) FROM sample, unnest(search_grams) AS gram
    GROUP BY gram HAVING count(*) > 1`.execute(database);
  return Number(numAffectedRows);
}

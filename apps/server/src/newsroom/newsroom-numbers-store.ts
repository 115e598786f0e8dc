import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { silentAfterGaps, silentAfterMs } from './sources/source.ts';

/** Sources by the verdict of `healthVerdict`, here for all of them in one statement. */
export async function countSourcesByHealth(
  database: Database,
  now: EpochMicroseconds,
): Promise<ReadonlyMap<string, number>> {
  const at = sql`${toTimestamptz(now)}::timestamptz`;
  const { rows } = await sql<{ health: string; count: number }>`
    SELECT CASE
        WHEN state <> 'active' THEN state
        WHEN polled_at IS NULL THEN 'not polled yet'
        WHEN failures > 0 THEN 'failing'
        WHEN newest_entry_at < ${at} - greatest(${silentAfterMs}, ${silentAfterGaps} * usual_gap_ms) * interval '1 ms'
          THEN 'silent'
        ELSE 'well' END AS health,
      count(*)::integer AS count
    FROM newsroom.source WHERE state <> 'removed' GROUP BY 1`.execute(database);
  return new Map(rows.map(({ health, count }) => [health, count]));
}

export interface NewsNumbers {
  /** Null before the first item. */
  readonly newestItemSeconds: number | null;
  readonly digestsDue: number;
}

export async function readNewsNumbers(database: Database, now: EpochMicroseconds): Promise<NewsNumbers> {
  const at = sql`${toTimestamptz(now)}::timestamptz`;
  const { rows } = await sql<NewsNumbers>`
    SELECT (SELECT extract(epoch FROM ${at} - max(discovered_at))::float8 FROM record.window_item)
        AS "newestItemSeconds",
      (SELECT count(*)::integer FROM newsroom.story_digest WHERE due_at <= ${at}) AS "digestsDue"`.execute(
    database,
  );
  return rows[0] ?? { newestItemSeconds: null, digestsDue: 0 };
}

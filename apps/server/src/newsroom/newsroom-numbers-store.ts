import { sql } from 'kysely';

import type { Database } from '../foundation/database/database.ts';
import { toTimestamptz } from '../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';

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

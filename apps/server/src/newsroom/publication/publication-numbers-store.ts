import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';
import { toTimestamptz } from '../../foundation/database/timestamptz.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { EntryId } from '../../ingest/index.ts';
import type { EntryOutcome } from './unpublished-entry-store.ts';

/** Why an entry is not shown: it is waiting, or has an outcome. */
export type UnpublishedState = 'waiting' | EntryOutcome;

export interface UnpublishedEntry {
  readonly id: EntryId;
  readonly state: UnpublishedState;
  readonly reason: string | null;
  readonly sourceName: string;
  readonly title: string;
  readonly url: string;
  /** ISO 8601. */
  readonly discoveredAt: string;
}

const stateOf = sql<UnpublishedState>`coalesce(entry.outcome, 'waiting')`;
const isUnshown = sql<boolean>`entry.shown_revision IS DISTINCT FROM entry.revision AND entry.page_domain IS NULL`;

/** Oldest first. */
export async function listUnpublished(
  database: Database,
  states: readonly UnpublishedState[],
  countMax: number,
): Promise<readonly UnpublishedEntry[]> {
  const { rows } = await sql<UnpublishedEntry>`
    SELECT entry.id, ${stateOf} AS state, entry.outcome_reason AS reason, source.name AS "sourceName", entry.title,
      entry.url, to_char(entry.discovered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "discoveredAt"
    FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id
    WHERE ${isUnshown} AND ${stateOf} = ANY(${[...states]}::text[])
    ORDER BY entry.id LIMIT ${countMax}`.execute(database);
  return rows;
}

export interface UnpublishedCount {
  readonly state: UnpublishedState;
  readonly entries: number;
  /** The age of the oldest entry. */
  readonly oldestSeconds: number;
}

export async function countUnpublished(
  database: Database,
  now: EpochMicroseconds,
): Promise<readonly UnpublishedCount[]> {
  const { rows } = await sql<UnpublishedCount>`
    SELECT ${stateOf} AS state, count(*)::integer AS entries,
      greatest(0, extract(epoch FROM ${toTimestamptz(now)}::timestamptz - min(entry.discovered_at)))::float8
        AS "oldestSeconds"
    FROM newsroom.entry WHERE ${isUnshown} GROUP BY 1`.execute(database);
  return rows;
}

/** Invariants of publication, each with the entries or stories that violate it, up to a limit. */
export async function findBrokenPromises(
  database: Database,
  now: EpochMicroseconds,
  countMax: number,
): Promise<Readonly<Record<'late' | 'failed' | 'withoutItem' | 'digests', readonly string[]>>> {
  const at = sql`${toTimestamptz(now)}::timestamptz`;
  const find = async (query: ReturnType<typeof sql<{ found: string }>>): Promise<readonly string[]> =>
    (await query.execute(database)).rows.map(({ found }) => found);
  return {
    late: await find(sql`
      SELECT entry.id || ' ' || source.name || ': ' || entry.title AS found
      FROM newsroom.entry JOIN newsroom.source ON source.id = entry.source_id
      WHERE ${isUnshown} AND entry.outcome IS NULL AND entry.discovered_at < ${at} - interval '15 minutes'
      ORDER BY entry.id LIMIT ${countMax}`),
    failed: await find(sql`
      SELECT entry.id || ' ' || entry.outcome_reason AS found FROM newsroom.entry
      WHERE entry.outcome = 'failed' ORDER BY entry.id LIMIT ${countMax}`),
    withoutItem: await find(sql`
      SELECT entry.id::text AS found FROM newsroom.entry
      WHERE entry.shown_revision IS NOT NULL AND entry.withdrawn_at IS NULL
        AND NOT EXISTS (SELECT FROM record.item WHERE item.id = entry.id)
      ORDER BY entry.id LIMIT ${countMax}`),
    digests: await find(sql`
      SELECT story_id::text || CASE WHEN failures > 0 THEN ' failed ' || failures || ' times' ELSE '' END AS found
      FROM newsroom.story_digest WHERE due_at < ${at} - interval '15 minutes' OR failures > 0
      ORDER BY story_id LIMIT ${countMax}`),
  };
}

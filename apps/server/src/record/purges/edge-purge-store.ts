import { sql } from 'kysely';

import type { Database } from '../../foundation/database/database.ts';

export interface EdgePurge {
  readonly id: bigint;
  readonly tags: readonly string[];
  readonly doneBy: readonly string[];
}

/** Oldest first. */
export async function readEdgePurges(database: Database, countMax: number): Promise<readonly EdgePurge[]> {
  return database
    .selectFrom('record.edge_purge')
    .select(['id', 'tags', 'done_by as doneBy'])
    .orderBy('id')
    .limit(countMax)
    .execute();
}

export async function markPurged(database: Database, cache: string, ids: readonly bigint[]): Promise<void> {
  await sql`UPDATE record.edge_purge SET done_by = array_append(done_by, ${cache})
    WHERE id = ANY (${ids}::bigint[]) AND NOT done_by @> ARRAY[${cache}]`.execute(database);
}

/** Deletes purges that each of these caches has confirmed; without any cache, all. */
export async function deletePurged(database: Database, caches: readonly string[]): Promise<void> {
  await sql`DELETE FROM record.edge_purge WHERE done_by @> ${caches}::text[]`.execute(database);
}

export interface WaitingPurges {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

export async function countEdgePurges(database: Database): Promise<WaitingPurges> {
  const { rows } = await sql<{ waiting: number; oldest_seconds: number }>`
    SELECT count(*)::integer AS waiting,
      coalesce(extract(epoch FROM clock_timestamp() - min(decided_at)), 0)::float8 AS oldest_seconds
    FROM record.edge_purge`.execute(database);
  return { waiting: rows[0]?.waiting ?? 0, oldestSeconds: rows[0]?.oldest_seconds ?? 0 };
}

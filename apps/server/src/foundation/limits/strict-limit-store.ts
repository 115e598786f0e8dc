import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';

import { deleteInBatches } from '../database/batched-delete.ts';
import type { Database } from '../database/database.ts';
import { preparedAs } from '../database/prepared-statement.ts';

export interface StrictLimitRequest {
  readonly key: string;
  readonly admittedMax: number;
  readonly windowMs: number;
  /** Instead of the database's clock, for tests. */
  readonly now?: string | undefined;
}

export interface StrictLimitDecision {
  readonly admitted: boolean;
  /** Admitted requests in the window, this one included. */
  readonly occupied: number;
  /** Until the oldest of them leaves the window; slightly too short rather than too long. */
  readonly freeInMs: number;
}

/**
 * One statement, one row lock. The instant of a request that finds a row is read after the row is locked, so instants
 * in a row follow the order of decisions. A request exactly one window after another no longer counts it. Where the
 * server's clock was set back, later instants count as of now: that never admits more, and no client waits longer than
 * one window.
 */
export async function decideStrictLimit(
  database: Database,
  { key, admittedMax, windowMs, now }: StrictLimitRequest,
): Promise<StrictLimitDecision> {
  const clock = now === undefined ? sql`clock_timestamp()` : sql`${now}::timestamptz`;
  const span = sql`${windowMs}::float8 * interval '1 millisecond'`;
  const { rows } =
    await sql<StrictLimitDecision>`${preparedAs(now === undefined ? 'decide-strict-limit' : 'decide-strict-limit-at')}
    INSERT INTO foundation.strict_limit AS held (key, admitted_at, last_admitted, expires_at)
    SELECT ${key}, ARRAY[now], true, now + ${span} FROM (SELECT ${clock} AS now) AS moment
    ON CONFLICT (key) DO UPDATE SET (admitted_at, last_admitted, expires_at) = (
      SELECT
        CASE WHEN cardinality(admitted) < ${admittedMax} THEN admitted || now ELSE admitted END,
        cardinality(admitted) < ${admittedMax},
        CASE WHEN cardinality(admitted) < ${admittedMax} THEN now ELSE admitted[cardinality(admitted)] END + ${span}
      FROM (SELECT ${clock} AS now) AS moment, LATERAL (
        SELECT coalesce(array_agg(least(instant, now) ORDER BY instant), '{}') AS admitted
        FROM unnest(held.admitted_at) AS instant WHERE instant > now - ${span}
      ) AS window_of_key
    )
    RETURNING
      last_admitted AS "admitted",
      cardinality(admitted_at) AS "occupied",
      (extract(epoch FROM admitted_at[1] + ${span} - ${clock}) * 1000)::float8 AS "freeInMs"`.execute(
      database,
    );
  const [decision] = rows;
  if (decision === undefined) throw new Error('an upsert returned no row');
  return decision;
}

const batchesMax = 100;

/**
 * The keys of rows whose window has long passed. The grace is far beyond any statement's time-out: a request that read
 * the clock before its insert had to wait cannot outlive the row that it should have found.
 */
export function selectExpiredLimits(limit: number): RawBuilder<unknown> {
  return sql`
    SELECT key FROM foundation.strict_limit WHERE expires_at < now() - interval '10 minutes'
    ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}

/** Returns the number of deleted rows; more than a hundred batches are left for the next run. */
export async function removeExpiredLimits(database: Database): Promise<number> {
  return deleteInBatches(
    async (limit) => {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM foundation.strict_limit WHERE key IN (${selectExpiredLimits(limit)})`.execute(database);
      return Number(numAffectedRows);
    },
    { batchesMax },
  );
}

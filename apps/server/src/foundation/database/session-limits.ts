import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type pg from 'pg';

import type { DB } from './generated/database-types.ts';

export interface SessionLimits {
  /** The server cancels a statement that runs longer. */
  readonly statementTimeoutMs: number;
  /** The server ends a session whose transaction is idle for longer, which releases its locks. */
  readonly idleInTransactionTimeoutMs: number;
}

/** For the sessions of api and worker. Sent when a session starts and, for poolers, set on the logins (`createLogins`). */
export const defaultSessionLimits: SessionLimits = {
  statementTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 15_000,
};

/** A limit for the statements of one transaction; works through a pooler too. */
export async function limitStatements(transaction: Transaction<DB>, timeoutMs: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(transaction);
}

/**
 * A sentence that lists the limits missing in the sessions of a pool; null if none is missing. A pooler does
 * not forward settings at session start, so behind one only a login's own settings bound its sessions.
 */
export async function describeMissingLimits(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ login: string; missing: readonly string[] | null }>(
    `SELECT current_user AS login, array_agg(name ORDER BY name) AS missing FROM pg_settings
     WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'`,
  );
  const { login, missing } = rows[0] ?? { login: '', missing: null };
  if (missing === null) return null;
  return `the login ${login} has no ${missing.join(' and no ')}: run daybook database logins, or ALTER ROLE … SET`;
}

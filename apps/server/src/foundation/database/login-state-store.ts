import type pg from 'pg';

/** What a login is and may do, for operators. */
export interface LoginState {
  readonly login: string;
  readonly database: string;
  /** Identifies the server: two logins with different ones reach different servers. */
  readonly serverStartedAt: string;
  /** As `server_version_num`: 180001 is 18.1. */
  readonly versionNumber: number;
  readonly version: string;
  /** The difference between the database's clock and the given one. */
  readonly clockAheadMs: number;
  readonly isSuperuser: boolean;
  readonly isApplication: boolean;
  readonly isNewsReader: boolean;
  /** Whether it may read the accounts, or change the public record. */
  readonly readsAccounts: boolean;
  readonly changesRecord: boolean;
  readonly changesStructure: boolean;
}

interface LoginRow {
  readonly login: string;
  readonly database: string;
  readonly server_started_at: string;
  readonly version_number: number;
  readonly version: string;
  readonly clock_ms: string;
  readonly is_superuser: boolean;
  readonly is_application: boolean | null;
  readonly is_news_reader: boolean | null;
  readonly reads_accounts: boolean | null;
  readonly changes_record: boolean | null;
  readonly changes_structure: boolean;
}

/** A role or schema that does not exist counts as no right. */
export async function readLoginState(pool: pg.Pool, nowMs: () => number): Promise<LoginState> {
  // The connection is opened first, so that its duration is not taken for a difference of clocks.
  await pool.query('SELECT 1');
  const before = nowMs();
  const { rows } = await pool.query<LoginRow>(
    `SELECT current_user AS login, current_database() AS database,
       pg_postmaster_start_time()::text AS server_started_at,
       current_setting('server_version_num')::int AS version_number, current_setting('server_version') AS version,
       extract(epoch FROM clock_timestamp()) * 1000 AS clock_ms,
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
       (SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = 'daybook_application') AS is_application,
       (SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = 'daybook_news_reader') AS is_news_reader,
       (SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'identity') AS reads_accounts,
       (SELECT has_table_privilege(c.oid, 'INSERT') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'record' AND c.relname = 'item') AS changes_record,
       has_database_privilege(current_database(), 'CREATE') AS changes_structure`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database did not answer');
  const middleMs = (before + nowMs()) / 2;
  return {
    login: row.login,
    database: row.database,
    serverStartedAt: row.server_started_at,
    versionNumber: row.version_number,
    version: row.version,
    clockAheadMs: Math.round(Number(row.clock_ms) - middleMs),
    isSuperuser: row.is_superuser,
    isApplication: row.is_application === true,
    isNewsReader: row.is_news_reader === true,
    readsAccounts: row.reads_accounts === true,
    changesRecord: row.changes_record === true,
    changesStructure: row.changes_structure,
  };
}

/** Processes that are connected to the database under one of these names, as `daybook api (2)`. */
export async function readConnectedProcesses(
  pool: pg.Pool,
  names: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = ANY ($1) GROUP BY 1 ORDER BY 1`,
    [names],
  );
  return rows.map(({ name, count }) => `${name} (${count})`);
}

import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

import type { DB } from './generated/database-types.ts';
import { preparingMarked } from './prepared-statement.ts';

export type Database = Kysely<DB>;

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Not through a pooler, behind which the next statement may meet another session. */
  readonly preparesStatements?: boolean;
}

export interface DatabaseConnection {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/**
 * Instants stay the text PostgreSQL sends, because a JavaScript date drops the microseconds that keys need;
 * 64-bit integers become bigint.
 */
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text);
parsers.setTypeParser(pg.types.builtins.DATE, (text) => text);
parsers.setTypeParser(pg.types.builtins.INT8, BigInt);

export function connectDatabase(options: DatabaseOptions): DatabaseConnection {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    // The server may be gone without a word; then the client must not wait for it for ever.
    query_timeout: options.statementTimeoutMs + 1_000,
    keepAlive: true,
    types: parsers,
  });
  // A connection that breaks is replaced on next use, and whoever was using it hears of it from their query; without
  // listeners it would end the process. The pool listens to idle ones only, so each gets its own from the start.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  if (options.preparesStatements === true) pool.on('connect', preparingMarked);
  const database = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { database, pool, close: () => database.destroy() };
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** Tells "the database is away" from "the query is wrong": only the first may be answered from a kept copy. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionFailures.has(code)) return true;
  // 08: connection exception; 57P: shutdown, crash, cannot connect now; 53300: too many connections.
  if (/^(?:08|57P)/.test(code) || code === '53300') return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  );
}

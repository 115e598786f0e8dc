import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

import type { Tracer } from '../tracing/tracer.ts';
import type { PoolOptions } from './connection-pool.ts';
import { createConnectionPool, isAnswerTimeout } from './connection-pool.ts';
import type { DB } from './generated/database-types.ts';
import { preparingMarked } from './prepared-statement.ts';
import { traceQueries } from './trace-queries.ts';

export type Database = Kysely<DB>;

export interface DatabaseOptions extends Omit<PoolOptions, 'types'> {
  /** Null or absent: no traces. */
  readonly tracer?: Tracer | null;
}

export interface DatabaseConnection {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/**
 * Instants stay the text that PostgreSQL sends, because a JavaScript date drops the microseconds that keys
 * need; 64-bit integers become bigint.
 */
const parsers = new pg.TypeOverrides();
parsers.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text);
parsers.setTypeParser(pg.types.builtins.DATE, (text) => text);
parsers.setTypeParser(pg.types.builtins.INT8, BigInt);

export function connectDatabase(options: DatabaseOptions): DatabaseConnection {
  const pool = createConnectionPool({ ...options, types: parsers });
  // Behind a pooler the next statement may use another session, which has not prepared it.
  if (options.throughPooler !== true) pool.on('connect', preparingMarked);
  const { tracer = null } = options;
  // Outermost, where a statement still has the name that it is prepared as.
  if (tracer !== null) pool.on('connect', (client) => traceQueries(client, tracer));
  const database = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => {
    await database.destroy();
    // Kysely leaves a pool open that it never took a connection from.
    if (!pool.ending) await pool.end();
  };
  return { database, pool, close };
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

/** Distinguishes an unreachable database from a wrong query: only the first may be answered from a cached copy. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (connectionFailures.has(code)) return true;
  // 08: connection exception; 57P: shutdown, crash, cannot connect now; 53300: too many connections.
  if (/^(?:08|57P)/.test(code) || code === '53300') return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  if (isAnswerTimeout(error)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed) and is not queryable/.test(
    error.message,
  );
}

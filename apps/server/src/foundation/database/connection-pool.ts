import pg from 'pg';

import type { SessionLimits } from './session-limits.ts';
import { defaultSessionLimits } from './session-limits.ts';

export interface PoolOptions extends Partial<SessionLimits> {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax: number;
  readonly connectTimeoutMs: number;
  /**
   * A pooler in transaction mode refuses settings at session start: there the login's own limits apply, and
   * `statementTimeoutMs` only bounds how long the client waits.
   */
  readonly throughPooler?: boolean;
  /** How much longer than the server's own limit the client waits for an answer; a second by default. */
  readonly answerGraceMs?: number;
  readonly types?: pg.CustomTypesConfig;
}

const defaultAnswerGraceMs = 1_000;

export function createConnectionPool(options: PoolOptions): pg.Pool {
  const { statementTimeoutMs, idleInTransactionTimeoutMs } = { ...defaultSessionLimits, ...options };
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    // The server may disappear without closing the connection; the client must not wait for it forever.
    query_timeout: statementTimeoutMs + (options.answerGraceMs ?? defaultAnswerGraceMs),
    keepAlive: true,
    ...(options.throughPooler !== true && {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    }),
    ...(options.types && { types: options.types }),
  });
  // A broken connection is replaced on next use, and its user gets the error from the query; without listeners it
  // would end the process. The pool listens to idle ones only, so each gets its own from the start.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    mapQueryErrors(client, (error) => {
      // The statement may still run on the server, and the next user of this connection would wait behind it.
      if (isAnswerTimeout(error)) void client.end();
      return error;
    });
  });
  return pool;
}

/** The driver's own error when `query_timeout` passes without an answer. */
export function isAnswerTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Lets `map` replace the error of every query of a connection. Streams report their errors themselves. */
export function mapQueryErrors(client: pg.ClientBase, map: (error: unknown) => unknown): void {
  const send = client.query.bind(client) as (...parts: unknown[]) => unknown;
  const query = (...parts: unknown[]): unknown => {
    const callback = parts.at(-1);
    if (typeof callback === 'function') {
      const report = (error: unknown, result: unknown): unknown =>
        callback(error === null || error === undefined ? error : map(error), result);
      return send(...parts.slice(0, -1), report);
    }
    const sent = send(...parts);
    if (!(sent instanceof Promise)) return sent;
    return sent.catch((error: unknown) => {
      throw map(error);
    });
  };
  Object.assign(client, { query });
}

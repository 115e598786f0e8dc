import type pg from 'pg';

import { createConnectionPool, isAnswerTimeout, mapQueryErrors } from '../database/connection-pool.ts';

/** A frozen process must not block the rows of its work for the processes that take it over. */
const idleInTransactionTimeoutMs = 5_000;

/**
 * The SDK's pool, in place of its own, whose session settings would spread to every client behind a pooler. The SDK
 * fails a workflow permanently when a statement is cancelled by a time-out, and retries without limit after a lost
 * connection; a database that is slow for a moment must be the latter.
 */
export function createEnginePool(options: {
  readonly url: string;
  readonly connectionsMax: number;
  readonly throughPooler: boolean;
  readonly statementTimeoutMs?: number;
}): pg.Pool {
  const pool = createConnectionPool({
    ...options,
    name: 'daybook engine',
    connectTimeoutMs: 10_000,
    idleInTransactionTimeoutMs,
  });
  pool.on('connect', (client) => mapQueryErrors(client, repeatable));
  return pool;
}

/** statement_completion_unknown, which the SDK retries; the statements of its transactions are idempotent. */
const repeatableCode = '40003';
/** query_canceled: the server's statement time-out. */
const cancelledCode = '57014';

function repeatable(error: unknown): unknown {
  const timedOut = isAnswerTimeout(error) || (error as { code?: unknown }).code === cancelledCode;
  if (!timedOut) return error;
  const { message } = error as Error;
  return Object.assign(new Error(message, { cause: error }), { code: repeatableCode });
}

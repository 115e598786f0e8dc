import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Database } from './database.ts';

/** Thrown inside a transaction: a concurrent one came first, so this one must roll back and start again. */
export class ConcurrentChange extends Error {
  /** Work to do before the retry, outside any transaction. */
  readonly prepare: ((database: Database) => Promise<void>) | null;

  constructor(message = 'another transaction came first', prepare: ConcurrentChange['prepare'] = null) {
    super(message);
    this.prepare = prepare;
  }
}

const attemptsMax = 30;

/**
 * For callers that open a transaction. PostgreSQL's own deadlock and serialisation failures count as well.
 * The pause grows and is random, so that two conflicting transactions do not conflict again.
 */
export async function retryConcurrentChanges<Value>(
  database: Database,
  runTransaction: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction();
    } catch (error) {
      if (attempt === attemptsMax || !isConcurrentChange(error)) throw error;
      if (error instanceof ConcurrentChange && error.prepare !== null) await error.prepare(database);
      else await delay(randomInt(2 ** Math.min(attempt, 6)));
    }
  }
}

function isConcurrentChange(error: unknown): boolean {
  if (error instanceof ConcurrentChange) return true;
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
}

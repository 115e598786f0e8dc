import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

/**
 * Changing a structure needs an exclusive lock, and every later request waits behind a waiting one. So the
 * session stops waiting soon, lets the others pass and retries.
 */
export interface LockRetryPolicy {
  readonly lockTimeoutMs: number;
  readonly attemptsMax: number;
  readonly pauseMs: number;
}

export const lockPatience: LockRetryPolicy = { lockTimeoutMs: 2_000, attemptsMax: 30, pauseMs: 1_000 };

/** For changes of structure, direct to PostgreSQL: statements have no time-out, waiting for locks has one. */
export function ownerSession(
  ownerUrl: string,
  name: string,
  { lockTimeoutMs }: LockRetryPolicy = lockPatience,
): pg.ClientConfig {
  const settings = {
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 60_000,
    lock_timeout: lockTimeoutMs,
  };
  return {
    connectionString: ownerUrl,
    application_name: name,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  };
}

/** Runs `work` again after a lock time-out; a failed run must leave nothing behind. */
export async function retryOnLockTimeout<Result>(
  work: () => Promise<Result>,
  { attemptsMax, pauseMs }: LockRetryPolicy = lockPatience,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsMax || !isLockTimeout(error)) throw error;
      await delay(pauseMs);
    }
  }
}

/** lock_not_available, also as the cause of another error. */
function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === '55P03') || isLockTimeout(error.cause);
}

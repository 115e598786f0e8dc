import { createHash } from 'node:crypto';

import type { Database } from '../database/database.ts';
import type { RateLimitPolicy } from '../http/rate-limit.ts';
import { decideStrictLimit } from './strict-limit-store.ts';

export type Admission =
  | { readonly admitted: true; readonly remaining: number }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

export interface StrictLimiterOptions {
  readonly database: Database;
  /** Limiters of one name share their windows, in every process. */
  readonly name: string;
  readonly admittedMax: number;
  readonly windowMs: number;
  /** A monotonic clock for cached refusals. */
  readonly elapsedMs?: () => number;
  /** Instead of the database's clock, for tests. */
  readonly now?: () => string;
}

export interface StrictLimiter {
  readonly policy: RateLimitPolicy;
  /** Throws the driver's error when the database is unreachable: uncounted clients are refused. */
  readonly admit: (key: string) => Promise<Admission>;
}

const refusalsMax = 10_000;

/**
 * A sliding window shared through PostgreSQL: no more than `admittedMax` of a key in any `windowMs`, over all processes.
 * Two mechanisms protect the database from a flood: a refusal is valid until the oldest admitted request leaves the
 * window, so it is cached; and a process queries one key once at a time, so that one client cannot fill the connection
 * pool with statements that wait for one row.
 */
export function createStrictLimiter(options: StrictLimiterOptions): StrictLimiter {
  const { admittedMax, windowMs, elapsedMs = () => performance.now() } = options;
  if (!Number.isInteger(admittedMax) || admittedMax < 1 || !(windowMs > 0))
    throw new RangeError('a limit must admit something');
  const refusedUntilMs = new Map<string, number>();
  const inFlight = new Map<string, Promise<Admission>>();

  const ask = async (key: string): Promise<Admission> => {
    // The returned wait began after this instant, so counting from here never refuses too long.
    const askedAtMs = elapsedMs();
    const { admitted, occupied, freeInMs } = await decideStrictLimit(options.database, {
      key,
      admittedMax,
      windowMs,
      now: options.now?.(),
    });
    if (admitted) return { admitted, remaining: admittedMax - occupied };
    remember(refusedUntilMs, key, askedAtMs + freeInMs);
    return refusal(freeInMs);
  };

  const admit = async (key: string): Promise<Admission> => {
    const name = storedKey(options.name, key);
    for (;;) {
      const waitMs = (refusedUntilMs.get(name) ?? -Infinity) - elapsedMs();
      if (waitMs > 0) return refusal(waitMs);
      const earlier = inFlight.get(name);
      if (earlier === undefined) break;
      // Fails with it too: with an unreachable database, waiting callers would time out one by one.
      await earlier;
    }
    const asked = ask(name).finally(() => inFlight.delete(name));
    inFlight.set(name, asked);
    return asked;
  };
  return { policy: { name: options.name, admittedMax, windowSeconds: Math.ceil(windowMs / 1000) }, admit };
}

function refusal(waitMs: number): Admission {
  return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** Bounded: the oldest cached refusal is evicted first, which costs one database query. */
function remember(refusedUntilMs: Map<string, number>, key: string, untilMs: number): void {
  refusedUntilMs.delete(key);
  if (refusedUntilMs.size >= refusalsMax) {
    const [oldest] = refusedUntilMs.keys();
    if (oldest !== undefined) refusedUntilMs.delete(oldest);
  }
  refusedUntilMs.set(key, untilMs);
}

/** Readable where it is short and plain; anything else hashed, behind a space, which a plain key cannot contain. */
function storedKey(name: string, key: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(key)) return `${name}:${key}`;
  return `${name}: ${createHash('sha256').update(key).digest('hex')}`;
}

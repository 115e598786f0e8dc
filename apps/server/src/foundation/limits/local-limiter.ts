import { getRandomValues } from 'node:crypto';

import type { RateLimitState } from '../http/rate-limit.ts';

export interface LocalLimiterOptions {
  readonly requestsPerMinute: number;
  /** Size of the burst after a rest. */
  readonly burst: number;
  /** Number of tracked clients in debt; rounded up to a power of two. Eight bytes each, allocated at once. */
  readonly clientsMax?: number;
}

export interface LocalLimiter {
  /**
   * 0 admits; anything else is the whole seconds to wait. `nowMs` must be monotonic (`performance.now()`): with a
   * wall clock that is set back, clients would wait for the time to catch up.
   */
  readonly take: (key: string, nowMs: number) => number;
  /** The remaining allowance of a client, for headers; consumes nothing. */
  readonly stateOf: (key: string, nowMs: number) => RateLimitState;
  /** Size of the table in bytes, constant. */
  readonly bytes: number;
}

const clientsMaxDefault = 32_768;
const burstMax = 1_000_000;
const ways = 8;
/** Time is counted in parts of the interval between two requests, so that any rate is exact in whole numbers. */
const ticksPerRequest = 64;
/** Leaves room in 32 bits for the largest debt. */
const ticksMax = 2 ** 30;
/** An address is at most 45 characters; in a longer key the secrets are used again. */
const secretsMask = 63;

/**
 * A token bucket per client, stored as the tick at which the client will be out of debt (GCRA), in a fixed table of rows
 * of eight. A client out of debt equals an unknown one, so a new client takes the slot of its row with the earliest tick
 * and starts from there, not from zero. Ticks in a row therefore only rise: an evicted client finds at least its own
 * debt again, and no flood of addresses resets an allowance.
 */
export function createLocalLimiter(options: LocalLimiterOptions): LocalLimiter {
  const { requestsPerMinute, burst, clientsMax = clientsMaxDefault } = options;
  if (!(requestsPerMinute > 0) || !(burst >= 1 && burst <= burstMax))
    throw new RangeError(`a limit admits something, and at most ${burstMax} at once`);
  const rowBits = Math.max(1, Math.ceil(Math.log2(clientsMax / ways)));
  /** Each row: eight fingerprints, then their eight ticks; together one cache line. */
  const table = new Int32Array(2 ** rowBits * ways * 2);
  const rowSecrets = getRandomValues(new Int32Array(secretsMask + 1));
  const fingerprintSecrets = getRandomValues(new Int32Array(secretsMask + 1));
  const ticksPerMs = (requestsPerMinute * ticksPerRequest) / 60_000;
  const debtMax = Math.floor((burst - 1) * ticksPerRequest);
  let originTicks = 0;
  let lastFingerprint = 0;

  /** The slot that stores, or would store, the client's debt. */
  const slotOf = (key: string): number => {
    // Multilinear hashing with secrets per position: an attacker cannot choose addresses that collide with a given
    // client, as with a fixed hash, or a seeded one of the h · 31 + c kind.
    let rowHash = 0;
    let fingerprint = key.length;
    for (let index = 0; index < key.length; index += 1) {
      const code = key.charCodeAt(index);
      rowHash = (rowHash + Math.imul(rowSecrets[index & secretsMask] as number, code)) | 0;
      fingerprint = (fingerprint + Math.imul(fingerprintSecrets[index & secretsMask] as number, code)) | 0;
    }
    lastFingerprint = fingerprint;
    // Of such a sum only the high bits are evenly spread.
    return findSlot(table, (rowHash >>> (32 - rowBits)) * ways * 2, fingerprint);
  };

  const ticksAt = (nowMs: number): number => {
    // The small addend corrects a multiplication that falls just short of a whole tick.
    let now = Math.floor(nowMs * ticksPerMs + 1e-4) - originTicks;
    if (now > ticksMax) {
      moveOrigin(table, now);
      originTicks += now;
      now = 0;
    }
    return now;
  };

  const take = (key: string, nowMs: number): number => {
    const now = ticksAt(nowMs);
    const slot = slotOf(key);
    const debt = Math.max(0, (table[slot + ways] as number) - now);
    if (debt > debtMax) return Math.ceil((debt - debtMax) / ticksPerMs / 1000);
    table[slot] = lastFingerprint;
    table[slot + ways] = now + debt + ticksPerRequest;
    return 0;
  };
  const stateOf = (key: string, nowMs: number): RateLimitState => {
    const now = ticksAt(nowMs);
    const debt = Math.max(0, (table[slotOf(key) + ways] as number) - now);
    return {
      remaining: Math.max(0, Math.floor((debtMax - debt) / ticksPerRequest) + 1),
      resetSeconds: Math.ceil(debt / ticksPerMs / 1000),
    };
  };
  return { take, stateOf, bytes: table.byteLength };
}

/**
 * The client's own slot, or the row's earliest. Always reads all eight and takes no branch on the result: for
 * random addresses every such branch would be mispredicted half the time, which costs more than it saves. `x >> 31`
 * is all ones where x is negative.
 */
function findSlot(table: Int32Array, row: number, fingerprint: number): number {
  let own = 0;
  let found = 0;
  let earliest = 0;
  let earliestTick = table[row + ways] as number;
  for (let way = 0; way < ways; way += 1) {
    const difference = (table[row + way] as number) ^ fingerprint;
    const same = ~((difference | -difference) >> 31);
    found |= same;
    own |= way & same;
    const tick = table[row + way + ways] as number;
    const earlier = (tick - earliestTick) >> 31;
    earliest = (earliest & ~earlier) | (way & earlier);
    earliestTick += (tick - earliestTick) & earlier;
  }
  return row + ((own & found) | (earliest & ~found));
}

/** Every few days or weeks: ticks restart at zero, debts stay the same. */
function moveOrigin(table: Int32Array, byTicks: number): void {
  for (let row = 0; row < table.length; row += ways * 2) {
    for (let slot = row + ways; slot < row + ways * 2; slot += 1) {
      table[slot] = Math.max(0, (table[slot] as number) - byTicks);
    }
  }
}

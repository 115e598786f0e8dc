import { getRandomValues } from 'node:crypto';

export interface LocalLimiterOptions {
  readonly requestsPerMinute: number;
  /** How many may come at once after a rest. */
  readonly burst: number;
  /** How many clients in debt are told apart; rounded up to a power of two. Twelve bytes each, taken at once. */
  readonly clientsMax?: number;
}

export interface LocalLimiter {
  /**
   * 0 admits; anything else is the whole seconds to wait. `nowMs` must never go back (`performance.now()`): with a
   * wall clock that is set back, clients would wait for the time to come round again.
   */
  readonly take: (key: string, nowMs: number) => number;
  /** What the table occupies, whoever calls. */
  readonly bytes: number;
}

const ways = 8;
const clientsMaxDefault = 65_536;
/** An address is at most 45 characters; in a longer key the secrets are used again. */
const secretsMask = 63;

/**
 * A token bucket per client, kept as the instant at which the client will be out of debt (GCRA), in a fixed table of
 * rows of eight. A client that is out of debt is the same as one never seen, so a newcomer takes the slot of its row
 * with the earliest instant and starts from there, not from zero. Instants in a row therefore only rise: whoever was
 * pushed out finds at least its own debt again, and no flood of addresses gives anyone a fresh allowance.
 */
export function createLocalLimiter(options: LocalLimiterOptions): LocalLimiter {
  const { requestsPerMinute, burst, clientsMax = clientsMaxDefault } = options;
  if (!(requestsPerMinute > 0) || !(burst >= 1)) throw new RangeError('a limit must admit something');
  const rowBits = Math.max(1, Math.ceil(Math.log2(clientsMax / ways)));
  const slots = 2 ** rowBits * ways;
  const fingerprints = new Uint32Array(slots);
  const clearAtMs = new Float64Array(slots).fill(-Infinity);
  const rowSecrets = getRandomValues(new Int32Array(secretsMask + 1));
  const fingerprintSecrets = getRandomValues(new Int32Array(secretsMask + 1));
  const intervalMs = 60_000 / requestsPerMinute;
  const debtMaxMs = (burst - 1) * intervalMs;

  const take = (key: string, nowMs: number): number => {
    // Multilinear hashing with secrets per position: nobody outside can pick addresses that crowd a chosen client,
    // as they could with a fixed hash, or a seeded one of the h · 31 + c kind.
    let rowHash = 0;
    let fingerprint = key.length;
    for (let index = 0; index < key.length; index += 1) {
      const code = key.charCodeAt(index);
      rowHash = (rowHash + Math.imul(rowSecrets[index & secretsMask] as number, code)) | 0;
      fingerprint = (fingerprint + Math.imul(fingerprintSecrets[index & secretsMask] as number, code)) | 0;
    }
    // Of such a sum only the high bits are evenly spread.
    const row = (rowHash >>> (32 - rowBits)) * ways;
    const slot = findSlot(fingerprints, clearAtMs, row, fingerprint >>> 0);
    const clearAt = Math.max(clearAtMs[slot] as number, nowMs);
    const waitMs = clearAt - nowMs - debtMaxMs;
    // A thousandth of a millisecond is what adding many intervals may be off by, never a whole request.
    if (waitMs > 0.001) return Math.ceil(waitMs / 1000);
    clearAtMs[slot] = clearAt + intervalMs;
    return 0;
  };
  return { take, bytes: fingerprints.byteLength + clearAtMs.byteLength };
}

/** The client's own slot, or the row's earliest, which becomes its own. */
function findSlot(
  fingerprints: Uint32Array,
  clearAtMs: Float64Array,
  row: number,
  fingerprint: number,
): number {
  for (let slot = row; slot < row + ways; slot += 1) {
    if (fingerprints[slot] === fingerprint) return slot;
  }
  let earliest = row;
  for (let slot = row + 1; slot < row + ways; slot += 1) {
    if ((clearAtMs[slot] as number) < (clearAtMs[earliest] as number)) earliest = slot;
  }
  fingerprints[earliest] = fingerprint;
  return earliest;
}

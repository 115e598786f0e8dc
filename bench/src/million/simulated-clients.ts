import { seededRandom } from '@daybook/evidence';

/** What clients accept, and how many of a hundred. */
export const encodings = [
  { name: 'gzip', share: 60 },
  { name: 'br', share: 30 },
  { name: 'identity', share: 10 },
] as const;

const pollEveryMs = 60_000;

export interface SimulatedClients {
  /** The client that polls next, if its time has come. */
  readonly nextDue: (nowMs: number) => number | null;
  /** When the poll of the client that `nextDue` returned last was due. */
  readonly dueAtMs: () => number;
  /** The address and encoding that it polls. */
  readonly variantOf: (client: number) => number;
  /** The ETag of its last response. */
  readonly tagOf: (client: number) => number;
  readonly setTag: (client: number, tag: number) => void;
}

/**
 * Clients that each poll an address in an encoding once a minute, at a moment of their own, with the ETag of their last
 * response: 13 bytes for each client. `shares` are the weights of the addresses in their encodings, `firstTags` their
 * ETags at the start, as if each client had polled in the minute before.
 */
export function createClients(
  count: number,
  startMs: number,
  { firstTags, shares }: { readonly firstTags: readonly number[]; readonly shares: readonly number[] },
  seed: number,
): SimulatedClients {
  const random = seededRandom(seed);
  const phases = Float64Array.from({ length: count }, () => random() * pollEveryMs).toSorted();
  const drawn = shares.flatMap((share, variant) => Array<number>(share).fill(variant));
  const variants = Uint8Array.from({ length: count }, () => drawn[Math.floor(random() * drawn.length)] ?? 0);
  const tags = Uint32Array.from(variants, (variant) => firstTags[variant] ?? 0);
  // The clients are numbered in the order of their phases: after the last, the first polls again.
  let next = 0;
  let minuteMs = startMs;
  let dueAtMs = startMs;
  return {
    nextDue: (nowMs) => {
      const atMs = minuteMs + (phases[next] ?? Infinity);
      if (atMs > nowMs) return null;
      const client = next;
      dueAtMs = atMs;
      next += 1;
      if (next === count) {
        next = 0;
        minuteMs += pollEveryMs;
      }
      return client;
    },
    dueAtMs: () => dueAtMs,
    variantOf: (client) => variants[client] ?? 0,
    tagOf: (client) => tags[client] ?? 0,
    setTag: (client, tag) => {
      tags[client] = tag;
    },
  };
}

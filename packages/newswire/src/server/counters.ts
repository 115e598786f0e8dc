import type { Socket } from 'node:net';

/** The requests to one registrable domain. Times are real times, independent of the world's clock. */
export interface DomainCounts {
  readonly requests: number;
  /** Requests that began sooner after the previous one than the spacing allows. */
  readonly spacingBroken: number;
  /** The shortest time between the beginnings of two requests; null before the second. */
  readonly closestGapMs: number | null;
  /** The most concurrent requests. */
  readonly requestsAtOnceMax: number;
  /** Most connections that were open at once. */
  readonly connectionsAtOnceMax: number;
  readonly notModified: number;
  readonly bytesSent: number;
  /** 0 if the connection got no response. */
  readonly byStatus: Readonly<Record<number, number>>;
  /** By requested resource: feed, article, front, list, robots, redirector, discussion, missing. */
  readonly byType: Readonly<Record<string, number>>;
}

interface Counting {
  requests: number;
  spacingBroken: number;
  closestGapMs: number | null;
  atOnce: number;
  requestsAtOnceMax: number;
  connectionsAtOnceMax: number;
  notModified: number;
  bytesSent: number;
  startedAt: number | null;
  byStatus: Record<number, number>;
  byType: Record<string, number>;
  connections: Set<Socket>;
}

export interface CounterSettings {
  /** How far apart requests to one domain must begin. */
  readonly spacingMs: number;
  /** The tolerated shortfall: timers fire a little early, and requests overtake each other. */
  readonly toleranceMs: number;
}

const addressesMax = 200_000;

/** Counts the requests of readers, for tests of their politeness. */
export class Counters {
  readonly #settings: CounterSettings;
  readonly #domains = new Map<string, Counting>();
  readonly #addresses = new Map<string, number>();
  #addressesLeftOut = 0;
  /** The domains that each open connection has carried requests for. */
  readonly #carried = new WeakMap<Socket, Set<Counting>>();

  constructor(settings: CounterSettings) {
    this.#settings = settings;
  }

  /** Records the start of a request; call the result when its response is sent. */
  begin(
    domain: string,
    address: string,
    socket: Socket,
  ): (type: string, sent: { readonly status: number; readonly bytes: number }) => void {
    const counting = this.#counting(domain);
    this.#noteAddress(address);
    this.#noteSpacing(counting);
    this.#noteConnection(counting, socket);
    counting.requests += 1;
    counting.atOnce += 1;
    counting.requestsAtOnceMax = Math.max(counting.requestsAtOnceMax, counting.atOnce);
    return (type, { status, bytes }) => {
      counting.atOnce -= 1;
      counting.bytesSent += bytes;
      counting.byStatus[status] = (counting.byStatus[status] ?? 0) + 1;
      counting.byType[type] = (counting.byType[type] ?? 0) + 1;
      if (status === 304) counting.notModified += 1;
    };
  }

  domain(domain: string): DomainCounts {
    return countsOf(this.#domains.get(domain) ?? newCounting());
  }

  domains(): ReadonlyMap<string, DomainCounts> {
    return new Map([...this.#domains].map(([domain, counting]) => [domain, countsOf(counting)]));
  }

  /** All domains together; the worst of them where a sum is meaningless. */
  total(): DomainCounts {
    const total = newCounting();
    for (const counting of this.#domains.values()) {
      total.requests += counting.requests;
      total.spacingBroken += counting.spacingBroken;
      total.notModified += counting.notModified;
      total.bytesSent += counting.bytesSent;
      total.requestsAtOnceMax = Math.max(total.requestsAtOnceMax, counting.requestsAtOnceMax);
      total.connectionsAtOnceMax = Math.max(total.connectionsAtOnceMax, counting.connectionsAtOnceMax);
      total.closestGapMs = Math.min(total.closestGapMs ?? Infinity, counting.closestGapMs ?? Infinity);
      addUp(total.byStatus, counting.byStatus);
      addUp(total.byType, counting.byType);
    }
    return countsOf({ ...total, closestGapMs: finite(total.closestGapMs) });
  }

  /** Share of all responses that were 304. */
  notModifiedShare(): number {
    const { requests, notModified } = this.total();
    return requests === 0 ? 0 : notModified / requests;
  }

  /** How often an address was requested. */
  hits(address: string): number {
    return this.#addresses.get(address) ?? 0;
  }

  /** All addresses with their hits; beyond the first 200,000 they are counted together. */
  addresses(): { readonly hits: ReadonlyMap<string, number>; readonly leftOut: number } {
    return { hits: this.#addresses, leftOut: this.#addressesLeftOut };
  }

  /** Resets the counters; requests in progress are not counted. */
  reset(): void {
    this.#domains.clear();
    this.#addresses.clear();
    this.#addressesLeftOut = 0;
  }

  #counting(domain: string): Counting {
    let counting = this.#domains.get(domain);
    if (counting === undefined) {
      counting = newCounting();
      this.#domains.set(domain, counting);
    }
    return counting;
  }

  #noteAddress(address: string): void {
    const hits = this.#addresses.get(address);
    if (hits === undefined && this.#addresses.size >= addressesMax) this.#addressesLeftOut += 1;
    else this.#addresses.set(address, (hits ?? 0) + 1);
  }

  #noteSpacing(counting: Counting): void {
    const now = performance.now();
    if (counting.startedAt !== null) {
      const gap = now - counting.startedAt;
      counting.closestGapMs = Math.min(gap, counting.closestGapMs ?? Infinity);
      if (gap < this.#settings.spacingMs - this.#settings.toleranceMs) counting.spacingBroken += 1;
    }
    counting.startedAt = now;
  }

  /** A connection belongs to every domain it has carried a request for, until it is closed. */
  #noteConnection(counting: Counting, socket: Socket): void {
    const { connections } = counting;
    if (connections.has(socket)) return;
    connections.add(socket);
    const carried = this.#carried.get(socket);
    if (carried === undefined) {
      const all = new Set([counting]);
      this.#carried.set(socket, all);
      socket.once('close', () => all.forEach((one) => one.connections.delete(socket)));
    } else carried.add(counting);
    counting.connectionsAtOnceMax = Math.max(counting.connectionsAtOnceMax, connections.size);
  }
}

function newCounting(): Counting {
  return {
    requests: 0,
    spacingBroken: 0,
    closestGapMs: null,
    atOnce: 0,
    requestsAtOnceMax: 0,
    connectionsAtOnceMax: 0,
    notModified: 0,
    bytesSent: 0,
    startedAt: null,
    byStatus: {},
    byType: {},
    connections: new Set(),
  };
}

function countsOf(counting: Counting): DomainCounts {
  const { requests, spacingBroken, closestGapMs, requestsAtOnceMax, notModified, bytesSent } = counting;
  return {
    requests,
    spacingBroken,
    closestGapMs,
    requestsAtOnceMax,
    connectionsAtOnceMax: counting.connectionsAtOnceMax,
    notModified,
    bytesSent,
    byStatus: { ...counting.byStatus },
    byType: { ...counting.byType },
  };
}

function addUp(
  total: Record<string | number, number>,
  more: Readonly<Record<string | number, number>>,
): void {
  for (const [key, count] of Object.entries(more)) total[key] = (total[key] ?? 0) + count;
}

function finite(value: number | null): number | null {
  return value === Infinity ? null : value;
}

import type { Socket } from 'node:net';

import type { Client } from 'undici';

import type { OpeningSocket, SocketTarget } from '../../foundation/outbound/guarded-sockets.ts';
import { awaitSocket } from '../../foundation/outbound/guarded-sockets.ts';
import { registrableDomain } from './registrable-domain.ts';

/** Longer than the spacing between two requests, so that a domain with many sources needs one handshake. */
const idleMs = 5_000;

/** How long a server may take to close its side. */
const closeMs = 1_000;

interface Slot {
  /** Resolves when the last queued request has finished. */
  last: Promise<unknown>;
  /** The number of requests that use the connection or wait for it. */
  users: number;
  client: Client | null;
  socket: Socket | null;
  origin: string;
  idleTimer: NodeJS.Timeout | null;
}

/**
 * At most one connection, and one request at a time, per registrable domain and process; further requests wait. Leases
 * ensure the same across processes: the holder of a lease calls `release` before it gives the lease up.
 */
export class DomainConnections {
  readonly #openSocket: (target: SocketTarget) => OpeningSocket;
  readonly #slots = new Map<string, Slot>();

  constructor(openSocket: (target: SocketTarget) => OpeningSocket) {
    this.#openSocket = openSocket;
  }

  /**
   * Runs the work with the domain's connection. `cut` ends the connection at once, also while it is being opened,
   * and the work with it. Work that throws closes the connection.
   */
  async use<Value>(url: URL, work: (client: Client, cut: () => void) => Promise<Value>): Promise<Value> {
    return this.#inTurn(registrableDomain(url), async (slot) => {
      try {
        return await work(await this.#clientFor(slot, url.origin), () => slot.socket?.destroy());
      } catch (error) {
        await this.#drop(slot);
        throw error;
      }
    });
  }

  /** Closes the domain's connection after the last request of this process that uses it. */
  async release(domain: string): Promise<void> {
    if (this.#slots.has(domain)) await this.#inTurn(domain, async (slot) => this.#end(slot));
  }

  async close(): Promise<void> {
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    for (const slot of slots) if (slot.idleTimer !== null) clearTimeout(slot.idleTimer);
    await Promise.all(slots.map(async (slot) => this.#drop(slot)));
  }

  async #inTurn<Value>(domain: string, work: (slot: Slot) => Promise<Value>): Promise<Value> {
    const slot = this.#slot(domain);
    slot.users += 1;
    if (slot.idleTimer !== null) clearTimeout(slot.idleTimer);
    const turn = slot.last.then(async () => work(slot));
    slot.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      slot.users -= 1;
      if (slot.users === 0) this.#letIdle(domain, slot);
    }
  }

  #slot(domain: string): Slot {
    const known = this.#slots.get(domain);
    if (known !== undefined) return known;
    const slot = {
      last: Promise.resolve(),
      users: 0,
      client: null,
      socket: null,
      origin: '',
      idleTimer: null,
    };
    this.#slots.set(domain, slot);
    return slot;
  }

  async #clientFor(slot: Slot, origin: string): Promise<Client> {
    if (slot.client !== null && slot.origin === origin) return slot.client;
    // Another host of the same domain: its connection replaces this one.
    await this.#end(slot);
    slot.origin = origin;
    // Loaded with the first request: an api process seldom sends one.
    const undici = await import('undici');
    slot.client = new undici.Client(origin, {
      connect: (target, callback) => {
        slot.socket = awaitSocket(this.#openSocket(target), callback as Parameters<typeof awaitSocket>[1]);
      },
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // Only the deadline of the fetch applies.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32_768,
    });
    return slot.client;
  }

  /** Waits until the server has closed its side too, so that it never sees two connections at once. */
  async #end(slot: Slot): Promise<void> {
    const { socket } = slot;
    if (socket !== null && !socket.closed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeMs);
      socket.once('close', resolve);
      socket.end();
      await promise;
      clearTimeout(timer);
    }
    await this.#drop(slot);
  }

  async #drop(slot: Slot): Promise<void> {
    const { client, socket } = slot;
    slot.client = null;
    slot.socket = null;
    // Also while the connection is being opened, so that it is not established after the request was cancelled.
    socket?.destroy();
    await client?.destroy();
  }

  #letIdle(domain: string, slot: Slot): void {
    slot.idleTimer = setTimeout(() => {
      this.#slots.delete(domain);
      void this.#end(slot);
    }, idleMs);
    slot.idleTimer.unref();
  }
}

import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import type { DomainLease, NextTurn } from './domain-lease-store.ts';
import { leaseDomain, releaseDomain, renewLease } from './domain-lease-store.ts';

/** The transactions of a poller: fenced in a worker, plain in a command. */
export type RunTransaction = <Output>(
  work: (transaction: Transaction<DB>) => Promise<Output>,
) => Promise<Output>;

export interface TurnDeps {
  readonly transaction: RunTransaction;
  readonly fetcher: Fetcher;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}

export interface GivenLease {
  readonly requestedMs: number;
  /** Until the next request to the domain is allowed. */
  readonly waitMs: number;
}

interface HeldDomain {
  /** By the process's own clock. */
  nextRequestMs: number;
  /** The spacing after the open request; null: no request is open. */
  askingWithMs: number | null;
  leaseEndsMs: number;
  isMain: boolean;
}

/**
 * Orders the requests to domains under leases: the next request to a domain starts `spacingMs` after the response to the
 * last one, over all processes, so that the time to connect never brings two requests closer together. The domain that a
 * redirect leads to is leased as well, for one poll.
 */
export class RequestTurns {
  readonly #deps: TurnDeps;
  readonly #main: DomainLease;
  readonly #held = new Map<string, HeldDomain>();

  /** `requestedMs`: when the lease was requested, by the process's own clock. The lease ends at least `leaseMs` later. */
  constructor(deps: TurnDeps, main: DomainLease, { requestedMs, waitMs }: GivenLease) {
    this.#deps = deps;
    this.#main = main;
    const held = {
      nextRequestMs: performance.now() + waitMs,
      askingWithMs: null,
      leaseEndsMs: requestedMs + deps.leaseMs,
      isMain: true,
    };
    this.#held.set(main.domain, held);
  }

  /** For `FetchRequest.beforeRequest`: waits for the turn, and renews the lease so that it outlives the request. */
  async before(url: URL, spacingMs: number): Promise<'go' | 'defer' | 'stop'> {
    const { signal, leaseMs } = this.#deps;
    const domain = registrableDomain(url);
    const held = this.#held.get(domain) ?? (await this.#take(domain));
    if (held === null) return 'defer';
    // After a redirect, the previous request has been answered.
    this.answered();
    for (;;) {
      if (signal.aborted) return 'stop';
      const nowMs = performance.now();
      const waitMs = held.nextRequestMs - nowMs;
      if (waitMs <= 0 && held.leaseEndsMs - nowMs >= leaseMs / 2) break;
      if (waitMs > 0)
        await delay(Math.min(waitMs, leaseMs / 4), undefined, { signal }).catch(() => undefined);
      if (held.leaseEndsMs - performance.now() < leaseMs / 2 && !(await this.#renew(domain, held)))
        return 'stop';
    }
    held.askingWithMs = spacingMs;
    return 'go';
  }

  /** The open request has ended, with a response or not. */
  answered(): void {
    for (const held of this.#held.values()) {
      if (held.askingWithMs === null) continue;
      held.nextRequestMs = performance.now() + held.askingWithMs;
      held.askingWithMs = null;
    }
  }

  /** Releases the domains of redirects, so that their own sources can be polled. */
  async releaseOthers(): Promise<void> {
    for (const [domain, { isMain }] of this.#held) if (!isMain) await this.#release(domain);
  }

  async releaseAll(): Promise<void> {
    for (const domain of this.#held.keys()) await this.#release(domain);
  }

  /** Whether the first domain has not been released yet. */
  get holdsMain(): boolean {
    return this.#held.has(this.#main.domain);
  }

  /**
   * For a caller that releases that domain in its own transaction and calls `mainReleased` after the commit. Closes the
   * connection first, because the next holder of the lease opens its own.
   */
  async endMain(): Promise<NextTurn> {
    return this.#end(this.#main.domain);
  }

  mainReleased(): void {
    this.#held.delete(this.#main.domain);
  }

  async #take(domain: string): Promise<HeldDomain | null> {
    const { transaction, leaseMs } = this.#deps;
    const requestedMs = performance.now();
    const lease = { domain, holder: this.#main.holder };
    const waitMs = await transaction((trx) => leaseDomain(trx, lease, leaseMs));
    if (waitMs === null) return null;
    const held = {
      nextRequestMs: performance.now() + waitMs,
      askingWithMs: null,
      leaseEndsMs: requestedMs + leaseMs,
      isMain: false,
    };
    this.#held.set(domain, held);
    return held;
  }

  async #renew(domain: string, held: HeldDomain): Promise<boolean> {
    const { transaction, leaseMs } = this.#deps;
    const requestedMs = performance.now();
    const lease = { domain, holder: this.#main.holder };
    const isHeld = await transaction((trx) => renewLease(trx, lease, leaseMs));
    held.leaseEndsMs = isHeld ? requestedMs + leaseMs : 0;
    return isHeld;
  }

  async #end(domain: string): Promise<NextTurn> {
    await this.#deps.fetcher.release(domain);
    const requestInMs = Math.max(0, (this.#held.get(domain)?.nextRequestMs ?? 0) - performance.now());
    return { requestInMs, pagesDueAt: this.#deps.clock.now() };
  }

  async #release(domain: string): Promise<void> {
    const next = await this.#end(domain);
    this.#held.delete(domain);
    await this.#deps.transaction((trx) => releaseDomain(trx, { ...this.#main, domain }, next));
  }
}

import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import type { DomainLease, NextTurn } from './domain-lease-store.ts';
import { leaseDomain, releaseDomain, renewLease } from './domain-lease-store.ts';

/** Transactions of whoever polls: fenced in a worker, plain in a command. */
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
  readonly askedMs: number;
  /** Until the domain may be asked. */
  readonly waitMs: number;
}

interface HeldDomain {
  /** By the process's own clock. */
  nextRequestMs: number;
  /** The space after the request that is under way; null: none is. */
  askingWithMs: number | null;
  leaseEndsMs: number;
  isMain: boolean;
}

/**
 * Whose turn it is to be asked, under leases: the next request to a domain begins a space after the answer to the
 * last, over all processes, so that the time to connect never brings two closer together. A domain that a redirect leads to is leased as well, for one poll.
 */
export class RequestTurns {
  readonly #deps: TurnDeps;
  readonly #main: DomainLease;
  readonly #held = new Map<string, HeldDomain>();

  /** `askedMs`: when the lease was asked for, by the process's own clock; it ends no sooner than a lease after that. */
  constructor(deps: TurnDeps, main: DomainLease, { askedMs, waitMs }: GivenLease) {
    this.#deps = deps;
    this.#main = main;
    const held = {
      nextRequestMs: performance.now() + waitMs,
      askingWithMs: null,
      leaseEndsMs: askedMs + deps.leaseMs,
      isMain: true,
    };
    this.#held.set(main.domain, held);
  }

  /** For `FetchRequest.beforeRequest`: waits, and keeps the lease alive for as long as one request may take. */
  async before(url: URL, spacingMs: number): Promise<'go' | 'defer' | 'stop'> {
    const { signal, leaseMs } = this.#deps;
    const domain = registrableDomain(url);
    const held = this.#held.get(domain) ?? (await this.#take(domain));
    if (held === null) return 'defer';
    // After a redirect: the request before this one has been answered.
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

  /** The request under way is over, however it ended. */
  answered(): void {
    for (const held of this.#held.values()) {
      if (held.askingWithMs === null) continue;
      held.nextRequestMs = performance.now() + held.askingWithMs;
      held.askingWithMs = null;
    }
  }

  /** Gives domains of redirects back; those of other sources wait for them. */
  async releaseOthers(): Promise<void> {
    for (const [domain, { isMain }] of this.#held) if (!isMain) await this.#release(domain);
  }

  async releaseAll(): Promise<void> {
    for (const domain of this.#held.keys()) await this.#release(domain);
  }

  /** Whether the domain that it began with is still to be given back. */
  get holdsMain(): boolean {
    return this.#held.has(this.#main.domain);
  }

  /**
   * For whoever gives that domain back in a transaction of their own, and says so with `mainReleased` once it has committed.
   * The connection is closed first: whoever gets the lease next opens its own.
   */
  async endMain(): Promise<NextTurn> {
    return this.#end(this.#main.domain);
  }

  mainReleased(): void {
    this.#held.delete(this.#main.domain);
  }

  async #take(domain: string): Promise<HeldDomain | null> {
    const { transaction, leaseMs } = this.#deps;
    const askedMs = performance.now();
    const lease = { domain, holder: this.#main.holder };
    const waitMs = await transaction((trx) => leaseDomain(trx, lease, leaseMs));
    if (waitMs === null) return null;
    const held = {
      nextRequestMs: performance.now() + waitMs,
      askingWithMs: null,
      leaseEndsMs: askedMs + leaseMs,
      isMain: false,
    };
    this.#held.set(domain, held);
    return held;
  }

  async #renew(domain: string, held: HeldDomain): Promise<boolean> {
    const { transaction, leaseMs } = this.#deps;
    const askedMs = performance.now();
    const lease = { domain, holder: this.#main.holder };
    const isHeld = await transaction((trx) => renewLease(trx, lease, leaseMs));
    held.leaseEndsMs = isHeld ? askedMs + leaseMs : 0;
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

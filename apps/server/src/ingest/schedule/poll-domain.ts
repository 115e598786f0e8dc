import { randomUUID } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import type { EntryPage } from '../land/entry-store.ts';
import { readNextPage } from '../land/entry-store.ts';
import type { DomainLease } from '../leases/domain-lease-store.ts';
import { claimDueDomains } from '../leases/domain-lease-store.ts';
import { RequestTurns } from '../leases/request-turns.ts';
import type { PollDeps, Poller, PollReport } from './poll-source.ts';
import { pollSource } from './poll-source.ts';
import type { DueOfDomain, SourceToPoll } from './poll-store.ts';
import { readNextDue } from './poll-store.ts';
import { readPage } from './read-page.ts';

/** Pages are fetched after the lists. */
const pagesPerLeaseMax = 10;

/** After this many polls the lease is released, so that redirects and hubs that wait for the domain get a turn. */
const pollsPerLeaseMax = 20;

export type OnPoll = (polled: SourceToPoll, report: PollReport) => void;

/** A leased domain and the work that is due there. */
export interface ClaimedDomain {
  readonly lease: DomainLease;
  /** When the lease was requested, by the process's own clock. */
  readonly requestedMs: number;
  readonly due: DueOfDomain;
}

/** Claims due domains and reads the work that is due at each. */
export async function claimDomains(
  { clock, leaseMs }: Pick<PollDeps, 'clock' | 'leaseMs'>,
  { transaction }: Pick<Poller, 'transaction'>,
  database: Database,
  domainsMax: number,
): Promise<readonly ClaimedDomain[]> {
  const now = clock.now();
  const requestedMs = performance.now();
  const request = { holder: randomUUID(), now, leaseMs, domainsMax };
  const leases = await transaction((trx) => claimDueDomains(trx, request));
  const domains = leases.map(({ domain }) => domain);
  const dueOf = await readNextDue(database, domains, now);
  return leases.map((lease) => ({ lease, requestedMs, due: dueOf.get(lease.domain) ?? nothingDue }));
}

const nothingDue: DueOfDomain = { polled: null, isLast: true, hasPages: false };

/** Polls everything that is due at a domain, one after the other, and releases its lease. */
export async function pollDomain(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  claimed: ClaimedDomain,
  onPoll: OnPoll,
): Promise<void> {
  const { lease, requestedMs } = claimed;
  const turns = new RequestTurns({ ...deps, ...poller }, lease, { requestedMs, waitMs: 0 });
  try {
    let { due } = claimed;
    for (let polls = 1; due.polled !== null && !poller.signal.aborted; polls += 1) {
      const endsLease = due.isLast && !due.hasPages;
      onPoll(due.polled, await pollSource(deps, poller, lease, turns, due.polled, endsLease));
      await turns.releaseOthers();
      if (due.isLast || polls === pollsPerLeaseMax) break;
      const dueOf = await readNextDue(database, [lease.domain], deps.clock.now());
      due = dueOf.get(lease.domain) ?? nothingDue;
    }
    if (turns.holdsMain) await readPages(deps, poller, database, lease, turns);
  } finally {
    await turns.releaseAll();
  }
}

async function readPages(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  lease: DomainLease,
  turns: RequestTurns,
): Promise<void> {
  let last: EntryPage['id'] | null = null;
  for (let pages = 0; pages < pagesPerLeaseMax && !poller.signal.aborted; pages += 1) {
    const page: EntryPage | null = await readNextPage(database, lease.domain, last);
    if (page === null) return;
    last = page.id;
    await readPage(deps, poller, lease, turns, page);
    await turns.releaseOthers();
  }
}

import type { Database } from '../../../foundation/database/database.ts';
import type { EntryPage } from '../land/entry-store.ts';
import { readNextPage } from '../land/entry-store.ts';
import type { DomainLease } from './domain-lease-store.ts';
import type { PollDeps, Poller, PollReport } from './poll-source.ts';
import { pollSource } from './poll-source.ts';
import type { SourceToPoll } from './poll-store.ts';
import { readNextDue } from './poll-store.ts';
import { readPage } from './read-page.ts';
import { RequestTurns } from './request-turns.ts';

/** Pages of articles come after the lists, so that what is new is known first. */
const pagesPerLeaseMax = 10;

/** After so many polls the domain is given back, so that those that wait elsewhere get their turn too. */
const pollsPerLeaseMax = 20;

export type OnPoll = (polled: SourceToPoll, report: PollReport) => void;

/** Asks everything that is due at a domain, one after the other, and gives its lease back. */
export async function pollDomain(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  lease: DomainLease,
  askedMs: number,
  onPoll: OnPoll,
): Promise<void> {
  const turns = new RequestTurns({ ...deps, ...poller }, lease, { askedMs, waitMs: 0 });
  try {
    for (let polls = 0; polls < pollsPerLeaseMax && !poller.signal.aborted; polls += 1) {
      const due = await readNextDue(database, lease.domain, deps.clock.now());
      if (due === null) break;
      onPoll(due.polled, await pollSource(deps, poller, lease, turns, due.polled));
      await turns.releaseOthers();
      if (due.isLast) break;
    }
    await readPages(deps, poller, database, lease, turns);
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

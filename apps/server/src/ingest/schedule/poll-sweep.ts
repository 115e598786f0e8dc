import { setTimeout as delay } from 'node:timers/promises';

import type { CalendarClock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import type { Logger } from '../../foundation/logger.ts';
import { groupTransactions } from './group-transactions.ts';
import type { OnPoll } from './poll-domain.ts';
import { claimDomains, pollDomain } from './poll-domain.ts';
import type { PollDeps, Poller } from './poll-source.ts';
import { LeaseLost } from './poll-source.ts';

export interface SweepDeps extends PollDeps {
  readonly clock: CalendarClock;
  readonly database: Database;
  readonly logger: Logger;
  /** Domains that one process polls at the same time. */
  readonly domainsMax: number;
  readonly onPoll: OnPoll;
}

const claimEverySeconds = 1;
const gatherMs = 20;

/**
 * Claims due domains and polls many of them at a time. A run continues while it finds work, so that a slow publisher
 * does not delay other domains.
 */
export function createPollSweep(deps: SweepDeps): Sweep {
  return {
    name: 'poll-sources',
    everySeconds: claimEverySeconds,
    run: async (context) => {
      const running = new Set<Promise<void>>();
      const poller = { ...context, shortTransaction: groupTransactions(context.transaction) };
      try {
        while (!context.signal.aborted) {
          const free = deps.domainsMax - running.size;
          const started = await startDue(deps, poller, running, free);
          if (started === 0 && running.size === 0) break;
          const isMoreDue = started === free;
          if (isMoreDue) await Promise.race(running);
          // One claim replaces all polls that end within this time.
          const waitMs = isMoreDue ? gatherMs : (claimEverySeconds * 1_000) / deps.clock.speed;
          await delay(waitMs, undefined, { signal: context.signal }).catch(() => undefined);
        }
      } finally {
        await Promise.all(running);
      }
    },
  };
}

async function startDue(
  deps: SweepDeps,
  poller: Poller,
  running: Set<Promise<void>>,
  domainsMax: number,
): Promise<number> {
  const claims = await claimDomains(deps, poller, deps.database, domainsMax);
  for (const claimed of claims) {
    const poll = pollDomain(deps, poller, deps.database, claimed, deps.onPoll)
      .catch((error: unknown) => {
        // The lease expires and the domain is polled again; nothing of this poll was committed.
        if (!(error instanceof LeaseLost))
          deps.logger.error({ err: error, domain: claimed.lease.domain }, 'a poll failed');
      })
      .finally(() => running.delete(poll));
    running.add(poll);
  }
  return claims.length;
}

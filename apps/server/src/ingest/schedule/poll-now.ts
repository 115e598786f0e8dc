import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Database } from '../../foundation/database/database.ts';
import { leaseDomain } from '../leases/domain-lease-store.ts';
import { RequestTurns } from '../leases/request-turns.ts';
import type { Source } from '../sources/source.ts';
import type { PollDeps, Poller, PollReport } from './poll-source.ts';
import { LeaseLost, pollSource } from './poll-source.ts';
import { readSourceToPoll } from './poll-store.ts';

const domainsAtOnceMax = 25;
const askAgainMs = 1_000;

/**
 * Polls sources now, due or not, under the leases of their domains, so workers can run at the same time. Polls domains in
 * parallel and the sources of one domain one after the other.
 */
export async function pollNow(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  sources: readonly Source[],
  onPoll: (source: Source, report: PollReport) => void,
): Promise<void> {
  const waiting = Map.groupBy(sources, ({ domain }) => domain).entries();
  const askDomains = async (): Promise<void> => {
    for (const [domain, ofDomain] of waiting) {
      if (poller.signal.aborted) return;
      await pollSourcesOf(deps, poller, database, domain, ofDomain, onPoll);
    }
  };
  await Promise.all(Array.from({ length: domainsAtOnceMax }, askDomains));
}

async function pollSourcesOf(
  deps: PollDeps,
  poller: Poller,
  database: Database,
  domain: string,
  sources: readonly Source[],
  onPoll: (source: Source, report: PollReport) => void,
): Promise<void> {
  const lease = { domain, holder: randomUUID() };
  let [requestedMs, waitMs]: [number, number | null] = [0, null];
  while (waitMs === null && !poller.signal.aborted) {
    requestedMs = performance.now();
    waitMs = await poller.transaction((trx) => leaseDomain(trx, lease, deps.leaseMs));
    if (waitMs === null) await delay(askAgainMs);
  }
  const turns = new RequestTurns({ ...poller, ...deps }, lease, { requestedMs, waitMs: waitMs ?? 0 });
  try {
    for (const source of sources) {
      if (poller.signal.aborted) return;
      const polled = await readSourceToPoll(database, source.id);
      if (polled === null) continue;
      onPoll(source, await pollSource(deps, poller, lease, turns, polled));
      await turns.releaseOthers();
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await turns.releaseAll();
  }
}

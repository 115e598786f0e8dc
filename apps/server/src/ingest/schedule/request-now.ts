import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { FetchRequest } from '../fetch/fetch-outcome.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { leaseDomain } from '../leases/domain-lease-store.ts';
import { RequestTurns } from '../leases/request-turns.ts';
import type { PollDeps, Poller } from './poll-source.ts';

const askAgainMs = 500;
/** A person waits for the answer. */
const waitMsMax = 15_000;

/**
 * Requests outside of polls, for editors and commands: under the lease of their domain and as far apart as polls, also
 * from those of workers. Refused if another process requests the domain for long.
 */
export async function withTurns<Answer>(
  deps: PollDeps,
  poller: Poller,
  address: { readonly url: string; readonly spacingMs?: number | null },
  request: (options: Pick<FetchRequest, 'beforeRequest' | 'signal'>) => Promise<Answer>,
): Promise<Result<Answer, string>> {
  const lease = { domain: registrableDomain(new URL(address.url)), holder: randomUUID() };
  const untilMs = performance.now() + waitMsMax;
  let [requestedMs, waitMs]: [number, number | null] = [0, null];
  for (;;) {
    requestedMs = performance.now();
    waitMs = await poller.transaction((trx) => leaseDomain(trx, lease, deps.leaseMs));
    if (waitMs !== null) break;
    if (poller.signal.aborted || performance.now() > untilMs)
      return refused(`a worker requests ${lease.domain} now: try again in a minute`);
    await delay(askAgainMs);
  }
  const turns = new RequestTurns({ ...poller, ...deps }, lease, { requestedMs, waitMs });
  try {
    const answer = await request({
      signal: poller.signal,
      beforeRequest: (url) => turns.before(url, address.spacingMs ?? deps.pace.spacingMs),
    });
    turns.answered();
    return accepted(answer);
  } finally {
    await turns.releaseAll();
  }
}

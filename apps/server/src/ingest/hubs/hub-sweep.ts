import { randomUUID } from 'node:crypto';

import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import type { IdSource } from '../../foundation/ids.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Logger } from '../../foundation/logger.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { leaseDomain } from '../leases/domain-lease-store.ts';
import { RequestTurns } from '../leases/request-turns.ts';
import type { HubDeps } from './ask-hub.ts';
import { askHub } from './ask-hub.ts';
import type { ClaimedSubscription } from './hub-subscription-store.ts';
import {
  claimSubscriptions,
  deleteSubscription,
  postponeSubscriptions,
  setWantedHub,
} from './hub-subscription-store.ts';

export interface HubSweepDeps extends HubDeps {
  readonly ids: IdSource;
  readonly logger: Logger;
}

const everySeconds = 5;
const claimedMax = 20;
/** Longer than the requests for all claimed subscriptions take. */
const claimMs = 10 * 60_000;
const domainTakenMs = 15_000;
/** After this many requests that the hub does not confirm, the subscription expires by itself. */
const unsubscribeAttemptsMax = 3;

/** Subscribes, renews and unsubscribes at hubs: a bounded number per run, under the same leases and spacing as polls. */
export function createHubSweep(deps: HubSweepDeps): Sweep {
  return {
    name: 'subscribe-to-hubs',
    everySeconds,
    run: async (context) => {
      const request = { now: deps.clock.now(), claimMs, rowsMax: claimedMax };
      const claimed = await context.transaction((trx) => claimSubscriptions(trx, request));
      const toAsk: ClaimedSubscription[] = [];
      for (const subscription of claimed)
        if (!(await endIfUnneeded(deps, context, subscription))) toAsk.push(subscription);
      const byDomain = Map.groupBy(toAsk, ({ hub }) => registrableDomain(new URL(hub.url)));
      const asking = [...byDomain].map(([domain, ofDomain]) =>
        askDomain(deps, context, domain, ofDomain).catch((error: unknown) =>
          deps.logger.error({ err: error, domain }, 'a hub could not be asked'),
        ),
      );
      await Promise.all(asking);
    },
  };
}

/** True: no request to the hub is needed. */
async function endIfUnneeded(
  { clock, ids }: HubSweepDeps,
  { transaction }: SweepContext,
  { id, sourceId, sourceState, wanted, attempts, leaseUntil }: ClaimedSubscription,
): Promise<boolean> {
  const now = clock.now();
  if (wanted === 'subscribe') {
    if (sourceState === 'active') return false;
    // The source was paused while a poll found its hub.
    await transaction((trx) => setWantedHub(trx, sourceId, null, { id: ids.next(), now }));
    return true;
  }
  const isOver = leaseUntil === null || leaseUntil <= now || attempts >= unsubscribeAttemptsMax;
  if (isOver) await transaction((trx) => deleteSubscription(trx, id));
  return isOver;
}

async function askDomain(
  deps: HubSweepDeps,
  context: SweepContext,
  domain: string,
  subscriptions: readonly ClaimedSubscription[],
): Promise<void> {
  const lease = { domain, holder: randomUUID() };
  const requestedMs = performance.now();
  const waitMs = await context.transaction((trx) => leaseDomain(trx, lease, deps.leaseMs));
  if (waitMs === null) {
    const ids = subscriptions.map(({ id }) => id);
    const until = addMs(deps.clock.now(), domainTakenMs);
    await context.transaction((trx) => postponeSubscriptions(trx, ids, until));
    return;
  }
  const turns = new RequestTurns({ ...deps, ...context }, lease, { requestedMs, waitMs });
  try {
    for (const subscription of subscriptions) {
      if (context.signal.aborted) return;
      await askHub(deps, context, turns, subscription);
      await turns.releaseOthers();
    }
  } finally {
    await turns.releaseAll();
  }
}

import { setTimeout as delay } from 'node:timers/promises';

import { dayMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Sweep, SweepContext } from '../../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { PostOnce, PostOutcome } from '../../foundation/outbound/post-once.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { MatchedItemsDeps } from '../searches/matched-items.ts';
import { readMatchedItems } from '../searches/matched-items.ts';
import type { ClaimedDelivery, DeliveryOutcome } from './delivery-store.ts';
import { claimDelivery, hasOpenDeliveries, releaseLeftDeliveries, settleDelivery } from './delivery-store.ts';
import { noteDelivered, noteFailed } from './webhook-store.ts';
import { addressPurpose, composeDelivery, secretPurpose } from './webhook.ts';

export interface DeliverWebhooksDeps extends MatchedItemsDeps {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly post: PostOnce;
  readonly userAgent: string;
}

const deliveriesAtOnce = 8;
const deadlineMs = 15_000;
/** In real time; then the sweep checks for leftovers again. */
const runMs = 10_000;
const idleMs = 100;
/** Delays after a failed attempt; then the delivery has failed. */
const retryMinutes = [1, 5, 30, 120, 360, 720];
const retryAfterSecondsMax = 3_600;
/** A webhook without any delivery for this long is disabled. */
const disableAfterMs = 5 * dayMs;

/**
 * Posts due deliveries at least once, with the same id in every attempt: one that a dead worker had claimed is due again.
 * Each receiver gets one request at a time.
 */
export function createWebhookSweep(deps: DeliverWebhooksDeps): Sweep {
  return {
    name: 'deliver-webhooks',
    everySeconds: 2,
    run: async (context) => {
      const now = deps.clock.now();
      if (!(await hasOpenDeliveries(deps.database, now))) return;
      await context.transaction((trx) => releaseLeftDeliveries(trx, context.epoch, now));
      await deliverDue(deps, context);
    },
  };
}

async function deliverDue(
  deps: DeliverWebhooksDeps,
  { epoch, signal, transaction }: SweepContext,
): Promise<void> {
  const endsAt = performance.now() + runMs;
  const sending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    const outcome = await attempt(deps, delivery, signal);
    const now = deps.clock.now();
    await transaction(async (trx) => {
      await settleDelivery(trx, delivery, outcome, now);
      if (outcome.state === 'delivered') await noteDelivered(trx, delivery.webhookId, now);
      if (outcome.state === 'failed' || outcome.state === 'waiting')
        await noteFailed(trx, delivery.webhookId, { now, disableBefore: disableBefore(outcome, now) });
    });
  };
  while (!signal.aborted && performance.now() < endsAt && failures.length === 0) {
    const delivery = await transaction((trx) => claimDelivery(trx, { epoch, now: deps.clock.now() }));
    if (delivery === null && sending.size === 0) break;
    if (delivery !== null) {
      const sent = deliver(delivery)
        .catch((error: unknown) => failures.push(error))
        .then(() => void sending.delete(sent));
      sending.add(sent);
    }
    // A slow receiver does not delay deliveries that become due meanwhile.
    if (delivery === null) await Promise.race([...sending, delay(idleMs)]);
    else if (sending.size === deliveriesAtOnce) await Promise.race(sending);
  }
  // All end before the next run treats the remaining claims as leftovers.
  await Promise.all(sending);
  if (failures.length > 0) throw failures[0];
}

const gone = 'status 410';

function disableBefore({ problem }: DeliveryOutcome, now: EpochMicroseconds): EpochMicroseconds {
  return problem === gone ? now : addMs(now, -disableAfterMs);
}

async function attempt(
  deps: DeliverWebhooksDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { id, itemId, webhookId, format, search, createdAt } = delivery;
  const [found] = await readMatchedItems(deps, [{ id: itemId }], search.wording);
  if (found === undefined) return { state: 'cancelled', problem: null };
  const { secretBox } = deps;
  const open = (sealed: Buffer, purpose: string): string => secretBox.open(sealed, purpose).toString();
  const url = new URL(open(delivery.sealedAddress, addressPurpose(webhookId)));
  const secret =
    delivery.sealedSecret === null ? null : open(delivery.sealedSecret, secretPurpose(webhookId));
  const match = {
    deliveryId: id,
    matchedAt: createdAt,
    search: { id: search.id, name: search.name },
    item: found.item,
  };
  const { headers, body } = composeDelivery({ format, secret }, match, deps.clock.now());
  const outcome = await deps.post({
    url,
    headers: { ...headers, 'user-agent': deps.userAgent },
    body,
    deadlineMs,
    signal,
  });
  return outcomeOf(outcome, delivery.attempts, deps.clock.now());
}

/** Any status but 2xx is a failure: a redirect could lead anywhere. */
export function outcomeOf(outcome: PostOutcome, attempts: number, now: EpochMicroseconds): DeliveryOutcome {
  const isAnswered = outcome.kind === 'answered';
  if (isAnswered && outcome.status >= 200 && outcome.status < 300)
    return { state: 'delivered', problem: null };
  const problem = isAnswered ? `status ${outcome.status}` : outcome.reason;
  const minutes = retryMinutes[attempts];
  if (minutes === undefined || problem === gone) return { state: 'failed', problem };
  const asked = isAnswered ? Math.min(outcome.retryAfterSeconds ?? 0, retryAfterSecondsMax) : 0;
  return { state: 'waiting', problem, dueAt: addMs(now, Math.max(minutes * 60, asked) * 1_000) };
}

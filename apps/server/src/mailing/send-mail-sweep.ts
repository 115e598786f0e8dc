import { hourMs } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Sweep, SweepContext } from '../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { OutboxDeps } from '../foundation/mail/outbox.ts';
import { createOutboxSweep } from '../foundation/mail/outbox.ts';
import type { MailToSend } from '../foundation/mail/smtp-sender.ts';
import { editions } from '../record/index.ts';
import { composeConfirmation, composeEditionMail } from './compose-mail.ts';
import type { ClaimedDelivery } from './delivery-store.ts';
import { cancelWaiting, claimDelivery, deliveryLimits, settleDelivery } from './delivery-store.ts';
import type { MailSite } from './mail-links.ts';
import type { MailedEdition } from './mailed-edition-store.ts';
import { insertMailedEditions, insertNextDeliveries } from './mailed-edition-store.ts';
import { readRestoredAt } from './restored-mailing-store.ts';
import { mailedKinds } from './subscribe.ts';
import type { MailedKind } from './subscription-store.ts';
import { endSubscription, findByToken } from './subscription-store.ts';

export interface MailSweepDeps extends OutboxDeps {
  readonly site: MailSite;
}

const deliveriesAtOnce = 1_000;
/** Editions whose window ended longer ago than this are not mailed. */
const mailedWithinMs = 72 * hourMs;
const editionsLookedAt = 4;

/** Finds editions to mail, inserts a delivery for each subscription, and sends due mail. */
export function createMailSweep(deps: MailSweepDeps): Sweep {
  return createOutboxSweep(deps, {
    ...deliveryLimits,
    name: 'send-mail',
    everySeconds: 2,
    prepare: (context) => prepare(deps, context),
    claim: claimDelivery,
    compose: (delivery) => compose(deps, delivery),
    settle: async (transaction, delivery, outcome) => {
      const { subscriptionId } = delivery;
      if (outcome.state === 'undelivered' && outcome.reason === 'address_refused') {
        await endSubscription(transaction, subscriptionId, outcome.reason, outcome.at);
        await cancelWaiting(transaction, subscriptionId, ['confirm', ...mailedKinds], outcome.at);
      }
      await settleDelivery(transaction, delivery, outcome);
    },
  });
}

async function prepare({ database, clock }: MailSweepDeps, context: SweepContext): Promise<void> {
  const now = clock.now();
  const within = addMs(now, -mailedWithinMs);
  const restoredAt = (await readRestoredAt(database)) ?? within;
  const since = restoredAt > within ? restoredAt : within;
  const recent = (await Promise.all(mailedKinds.map((kind) => recentEditions(database, kind, since)))).flat();
  await context.transaction((transaction) => insertMailedEditions(transaction, recent, now));
  const isMore = (): Promise<boolean> =>
    context.transaction((transaction) => insertNextDeliveries(transaction, deliveriesAtOnce, now));
  while (!context.signal.aborted && (await isMore()));
}

async function recentEditions(
  database: Database,
  kind: MailedKind,
  since: EpochMicroseconds,
): Promise<readonly MailedEdition[]> {
  const entries = await editions.readEditionEntries(database, kind, editionsLookedAt);
  return entries
    .map(({ period }) => ({ kind, period }))
    .filter((key) => (editions.editionPeriod(key)?.window.end ?? 0n) > since);
}

async function compose(
  { database, site }: MailSweepDeps,
  delivery: ClaimedDelivery,
): Promise<MailToSend | null> {
  const { purpose, period, token } = delivery;
  const envelope = {
    to: delivery.email,
    messageId: `<${delivery.id}@${new URL(site.baseUrl).hostname}>`,
  };
  if (purpose === 'confirm' || period === null) {
    const subscription = await findByToken(database, token);
    if (subscription === null || subscription.state === 'ended') return null;
    return { ...envelope, ...composeConfirmation(site, delivery, subscription.choices, token) };
  }
  const edition = await editions.readEdition(database, purpose, period);
  // Withdrawals may have emptied it meanwhile.
  if (edition === null || edition.sections.length === 0) return null;
  return { ...envelope, ...composeEditionMail(site, delivery, { ...edition, kind: purpose }, token) };
}

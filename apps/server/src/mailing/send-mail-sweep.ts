import { hourMs } from '../foundation/clock.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Sweep, SweepContext } from '../foundation/engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { addMs } from '../foundation/instant.ts';
import type { Logger } from '../foundation/logger.ts';
import type { MailToSend, SendFailure, SendMail } from '../foundation/mail/smtp-sender.ts';
import { sendFailureOf } from '../foundation/mail/smtp-sender.ts';
import { createSecretToken, secretTokenHash } from '../foundation/secret-token.ts';
import { editions } from '../record/index.ts';
import { composeConfirmation, composeReport } from './compose-mail.ts';
import type { ClaimedDelivery, UndeliveredReason } from './delivery-store.ts';
import {
  cancelWaiting,
  claimDelivery,
  markWaiting,
  settleDelivery,
  settleLeftovers,
} from './delivery-store.ts';
import type { MailSite } from './mail-links.ts';
import type { MailedEdition } from './mailed-edition-store.ts';
import { insertMailedEditions, insertNextDeliveries } from './mailed-edition-store.ts';
import { mailedKinds } from './subscribe.ts';
import type { MailedKind } from './subscription-store.ts';
import { endSubscription, findByToken } from './subscription-store.ts';

export interface MailSweepDeps {
  readonly database: Database;
  readonly clock: CalendarClock;
  readonly logger: Logger;
  readonly site: MailSite;
  readonly sendMail: SendMail;
}

const everySeconds = 2;
/** Concurrent mails of one process: this many are in doubt when it is killed. */
const mailsAtOnce = 4;
/** In real time; then the sweep checks for leftovers and new editions again. */
const runMs = 10_000;
const deliveriesAtOnce = 1_000;
/** Editions whose window ended longer ago than this are not mailed. */
const mailedWithinMs = 72 * hourMs;
const editionsLookedAt = 4;
/** Delays after a temporary refusal, by the number of previous ones; then the mail is abandoned. */
const retryDelaysMs = [1, 5, 30, 120].map((minutes) => minutes * 60_000);
const unavailableDelayMs = 60_000;

/**
 * Finds editions to mail, inserts a delivery for each subscription, and sends due mail. A claim is committed before the
 * mail server is contacted: after that, the mail is not sent again unless the server has certainly not accepted it.
 */
export function createMailSweep(deps: MailSweepDeps): Sweep {
  return {
    name: 'send-mail',
    everySeconds,
    run: async (context) => {
      await prepare(deps, context);
      const endsAt = performance.now() + runMs;
      const isOver = (): boolean => context.signal.aborted || performance.now() > endsAt;
      const senders = Array.from({ length: mailsAtOnce }, () => sendUntil(deps, context, isOver));
      // All senders end before the next run treats the remaining claims as leftovers.
      const failed = (await Promise.allSettled(senders)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    },
  };
}

async function prepare({ database, clock, logger }: MailSweepDeps, context: SweepContext): Promise<void> {
  const now = clock.now();
  const recent = (await Promise.all(mailedKinds.map((kind) => recentEditions(database, kind, now)))).flat();
  const left = await context.transaction(async (transaction) => {
    await insertMailedEditions(transaction, recent, now);
    return settleLeftovers(transaction, context.epoch, now);
  });
  if (left > 0) logger.warn({ mails: left }, 'mails are undelivered: daybook mailing undelivered');
  const isMore = (): Promise<boolean> =>
    context.transaction((transaction) => insertNextDeliveries(transaction, deliveriesAtOnce, now));
  while (!context.signal.aborted && (await isMore()));
}

async function recentEditions(
  database: Database,
  kind: MailedKind,
  now: EpochMicroseconds,
): Promise<readonly MailedEdition[]> {
  const entries = await editions.readEditionEntries(database, kind, editionsLookedAt);
  return entries
    .map(({ period }) => ({ kind, period }))
    .filter((key) => (editions.editionPeriod(key)?.window.end ?? 0n) > addMs(now, -mailedWithinMs));
}

async function sendUntil(deps: MailSweepDeps, context: SweepContext, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const token = createSecretToken();
    const claim = { epoch: context.epoch, tokenHash: secretTokenHash(token), now: deps.clock.now() };
    const delivery = await context.transaction((trx) => claimDelivery(trx, claim));
    if (delivery === null) return;
    const failure = await attempt(deps, delivery, token);
    await settle(deps, context, delivery, failure);
    if (failure === 'server_unavailable') return;
  }
}

type Failure = SendFailure | 'nothing_to_send' | null;

async function attempt(
  { database, site, sendMail }: MailSweepDeps,
  delivery: ClaimedDelivery,
  token: string,
): Promise<Failure> {
  const { purpose, period } = delivery;
  let composed: Omit<MailToSend, 'to'>;
  if (purpose === 'confirm' || period === null) {
    const subscription = await findByToken(database, token);
    if (subscription === null || subscription.state === 'ended') return 'nothing_to_send';
    composed = composeConfirmation(site, delivery, subscription.choices, token);
  } else {
    const edition = await editions.readEdition(database, purpose, period);
    // Withdrawals may have emptied it meanwhile.
    if (edition === null || edition.sections.length === 0) return 'nothing_to_send';
    composed = composeReport(site, delivery, { ...edition, kind: purpose }, token);
  }
  try {
    const messageId = `<${delivery.id}@${new URL(site.baseUrl).hostname}>`;
    await sendMail({ to: delivery.email, messageId, ...composed });
    return null;
  } catch (error) {
    return sendFailureOf(error);
  }
}

async function settle(
  { clock, logger }: MailSweepDeps,
  context: SweepContext,
  delivery: ClaimedDelivery,
  failure: Failure,
): Promise<void> {
  const now = clock.now();
  const undelivered = undeliveredReason(failure, delivery.attempts);
  if (undelivered !== null) logger.warn({ delivery: delivery.id, undelivered }, 'a mail is undelivered');
  await context.transaction(async (transaction) => {
    if (failure === null) return settleDelivery(transaction, delivery, { state: 'sent' }, now);
    if (failure === 'nothing_to_send')
      return settleDelivery(transaction, delivery, { state: 'cancelled' }, now);
    if (undelivered === 'address_refused') {
      await endSubscription(transaction, delivery.subscriptionId, undelivered, now);
      await cancelWaiting(transaction, delivery.subscriptionId, ['confirm', ...mailedKinds], now);
    }
    if (undelivered !== null)
      return settleDelivery(transaction, delivery, { state: 'undelivered', reason: undelivered }, now);
    const wasRefused = failure === 'refused_for_now';
    const delayMs = wasRefused ? (retryDelaysMs[delivery.attempts] ?? 0) : unavailableDelayMs;
    const attempts = delivery.attempts + (wasRefused ? 1 : 0);
    return markWaiting(transaction, delivery, { attempts, dueAt: addMs(now, delayMs), now });
  });
}

/** Null for mail that was sent, is retried, or need not be sent. */
function undeliveredReason(failure: Failure, attempts: number): UndeliveredReason | null {
  if (failure === 'refused_for_now') return attempts < retryDelaysMs.length ? null : 'attempts_exhausted';
  if (failure === null || failure === 'server_unavailable' || failure === 'nothing_to_send') return null;
  return failure;
}

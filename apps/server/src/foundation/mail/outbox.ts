import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { DB } from '../database/generated/database-types.ts';
import type { Sweep, SweepContext } from '../engine/engine-declarations.ts';
import type { EpochMicroseconds } from '../instant.ts';
import type { Logger } from '../logger.ts';
import type { AttemptResult, MailOutcome } from './outbox-rule.ts';
import { outcomeOf } from './outbox-rule.ts';
import type { OutboxLimits } from './outbox-store.ts';
import { hasOpenMail, settleLeftovers } from './outbox-store.ts';
import type { MailToSend, SendMail } from './smtp-sender.ts';
import { sendFailureOf } from './smtp-sender.ts';

export interface OutboxDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sendMail: SendMail;
}

export interface MailClaim {
  readonly epoch: number;
  readonly now: EpochMicroseconds;
}

/** A mail that only this process may send. */
export interface ClaimedMail {
  readonly id: string;
  /** Earlier attempts that failed. */
  readonly attempts: number;
}

/** The mail of one domain. */
export interface Outbox<Mail extends ClaimedMail> extends OutboxLimits {
  /** The name of the sweep. */
  readonly name: string;
  readonly everySeconds: number;
  /** Inserts mail before due mail is sent. */
  readonly prepare?: (context: SweepContext) => Promise<void>;
  /** The next due mail; after the commit no other process sends it. */
  readonly claim: (transaction: Transaction<DB>, claim: MailClaim) => Promise<Mail | null>;
  /** Null if the mail is no longer needed. */
  readonly compose: (mail: Mail) => Promise<MailToSend | null>;
  /** Ends the claim. */
  readonly settle: (transaction: Transaction<DB>, mail: Mail, outcome: MailOutcome) => Promise<void>;
}

/** Concurrent mails of one process: this many are in doubt when it is killed. */
const mailsAtOnce = 4;
/** In real time; then the sweep prepares mail and checks for leftovers again. */
const runMs = 10_000;
/** Between claims while mail is being sent and none is due. */
const idleMs = 250;

/**
 * Sends due mail. A claim is committed before the mail server is contacted: after that, mail that is not repeatable is
 * not sent again unless the server has certainly not accepted it.
 */
export function createOutboxSweep<Mail extends ClaimedMail>(deps: OutboxDeps, outbox: Outbox<Mail>): Sweep {
  const { database, clock, logger } = deps;
  const { name, everySeconds, prepare } = outbox;
  return {
    name,
    everySeconds,
    run: async (context) => {
      await prepare?.(context);
      if (!(await hasOpenMail(database, outbox, clock.now()))) return;
      const left = await context.transaction((trx) =>
        settleLeftovers(trx, outbox, context.epoch, clock.now()),
      );
      if (left > 0) logger.warn({ outbox: name, mails: left }, 'mails are undelivered');
      await sendDue(deps, outbox, context);
    },
  };
}

async function sendDue<Mail extends ClaimedMail>(
  deps: OutboxDeps,
  outbox: Outbox<Mail>,
  { epoch, signal, transaction }: SweepContext,
): Promise<void> {
  const { clock, logger } = deps;
  const endsAt = performance.now() + runMs;
  const sending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let isAvailable = true;
  const send = async (mail: Mail): Promise<void> => {
    const result = await attempt(deps, outbox, mail);
    if (result === 'server_unavailable') isAvailable = false;
    const outcome = outcomeOf(result, mail.attempts, outbox.isRepeatable, clock.now());
    if (outcome.state === 'undelivered')
      logger.warn({ outbox: outbox.name, mail: mail.id, reason: outcome.reason }, 'a mail is undelivered');
    await transaction((trx) => outbox.settle(trx, mail, outcome));
  };
  const isOver = (): boolean =>
    signal.aborted || performance.now() > endsAt || !isAvailable || failures.length > 0;
  while (!isOver()) {
    const mail = await transaction((trx) => outbox.claim(trx, { epoch, now: clock.now() }));
    if (mail === null && sending.size === 0) break;
    if (mail !== null) {
      const sent = send(mail)
        .catch((error: unknown) => failures.push(error))
        .then(() => void sending.delete(sent));
      sending.add(sent);
    }
    // A slow mail does not delay mail that becomes due meanwhile.
    if (mail === null) await Promise.race([...sending, delay(idleMs)]);
    else if (sending.size === mailsAtOnce) await Promise.race(sending);
  }
  // All end before the next run treats the remaining claims as leftovers.
  await Promise.all(sending);
  if (failures.length > 0) throw failures[0];
}

async function attempt<Mail extends ClaimedMail>(
  { logger, sendMail }: OutboxDeps,
  { name, compose }: Outbox<Mail>,
  mail: Mail,
): Promise<AttemptResult> {
  let composed: MailToSend | null;
  try {
    composed = await compose(mail);
  } catch (error) {
    logger.error({ err: error, outbox: name, mail: mail.id }, 'a mail was not composed');
    return 'not_composed';
  }
  if (composed === null) return 'nothing_to_send';
  return sendMail(composed).then(() => 'sent', sendFailureOf);
}

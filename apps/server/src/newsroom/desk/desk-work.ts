import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { RecurringTask } from '../../foundation/engine/engine-declarations.ts';
import type { SendMail } from '../../foundation/mail/smtp-sender.ts';
import { filled, mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { deleteOldQueueEvents } from './desk-event-store.ts';
import { deleteOldPresence } from './presence-store.ts';
import { deleteOldReports } from './reader-report-store.ts';
import type { AlertToMail } from './source-alert-store.ts';
import { claimAlertsToMail, renewSourceAlerts } from './source-alert-store.ts';

/** The mailbox of the editors. */
export interface AlertMail {
  readonly sendMail: SendMail;
  readonly to: string;
  /** The public base address of this installation. */
  readonly baseUrl: string;
  readonly language: ReaderLanguage;
}

interface DeskWorkDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Null where no mailbox is configured. */
  readonly alertMail?: AlertMail | null;
}

/** The background work of the desk. */
export function deskTasks({ database, clock, alertMail = null }: DeskWorkDeps): readonly RecurringTask[] {
  const alerts: RecurringTask = {
    name: 'source-alerts',
    every: 'hour',
    run: (context) =>
      context.transaction('renew', (transaction) => renewSourceAlerts(transaction, clock.now())),
  };
  const reports: RecurringTask = {
    name: 'delete-old-error-reports',
    every: 'day',
    run: (context) =>
      context.transaction('delete', (transaction) => deleteOldReports(transaction, clock.now())),
  };
  const events: RecurringTask = {
    name: 'delete-old-desk-events',
    every: 'hour',
    run: (context) =>
      context.transaction('delete', async (transaction) => {
        await deleteOldQueueEvents(transaction);
        await deleteOldPresence(transaction);
      }),
  };
  return [alerts, reports, events, ...(alertMail === null ? [] : [mailTask({ database, clock }, alertMail)])];
}

/** At most one mail a day. Alerts are claimed before the mail is sent, so that no retry repeats one. */
function mailTask({ clock }: DeskWorkDeps, { sendMail, to, baseUrl, language }: AlertMail): RecurringTask {
  return {
    name: 'mail-source-alerts',
    every: 'day',
    run: async (context) => {
      const alerts = await context.transaction('claim', (transaction) =>
        claimAlertsToMail(transaction, clock.now()),
      );
      if (alerts.length === 0) return;
      const mail = composeAlerts(alerts, { baseUrl, language });
      await context.step('send', () => sendMail({ to, ...mail }), sendRetry);
    },
  };
}

const sendRetry = { attemptsMax: 8, firstDelaySeconds: 30, backoffFactor: 2 };
const namedMax = 100;

/** Names of sources are text of their publishers: control characters could start lines of their own. */
export function composeAlerts(
  alerts: readonly AlertToMail[],
  { baseUrl, language }: Pick<AlertMail, 'baseUrl' | 'language'>,
): { readonly subject: string; readonly text: string } {
  const { sourceAlerts: words } = mailWordsOf(language);
  const lines = alerts
    .slice(0, namedMax)
    .map(({ name, kind }) => `- ${name.replaceAll(/\p{C}/gu, ' ')}: ${words.kinds[kind]}`);
  const count = String(alerts.length);
  return {
    subject: alerts.length === 1 ? words.subjectOne : filled(words.subject, { count }),
    text: filled(words.text, { sources: lines.join('\n'), address: `${baseUrl}/desk?kind=source` }),
  };
}

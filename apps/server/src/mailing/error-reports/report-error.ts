import { hourMs } from '../../foundation/clock.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { requireAdmission } from '../../foundation/limits/strict-admission.ts';
import type { StrictLimiter } from '../../foundation/limits/strict-limiter.ts';
import type { Logger } from '../../foundation/logger.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { SendMail } from '../../foundation/mail/smtp-sender.ts';
import { filled, mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { MailSite } from '../mail-links.ts';
import type { ErrorReport } from './error-report-store.ts';
import { insertErrorReport, leaseErrorReport, removeErrorReport } from './error-report-store.ts';

export interface ErrorReportDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Limits all error reports together, so that the editors' mailbox cannot be flooded. */
  readonly errorReportLimiter: StrictLimiter;
  /** Stores the report for the desk as well, in the same transaction. */
  readonly storeForDesk?: (
    transaction: Database,
    report: ErrorReport,
    now: EpochMicroseconds,
  ) => Promise<void>;
}

export const errorReportLimit = { name: 'error-reports', admittedMax: 60, windowMs: hourMs } as const;
export const messageCharsMax = 2_000;
const messageCharsMin = 10;

/** Pages that an error report may be about; any other address is omitted. */
const aboutForm = /^\/(?:(?:en|zh)\/)?(?:items|story|daily|weekly|monthly)\/[\w-]{1,64}$/;

export function errorPageOf(path: string): string {
  return aboutForm.test(path) ? path : '';
}

/** Queues an error report for the editors. */
export async function reportError(
  { database, clock, ids, errorReportLimiter, storeForDesk }: ErrorReportDeps,
  report: { readonly about: string; readonly message: string; readonly replyTo: string },
): Promise<void> {
  const message = report.message.trim();
  if (message.length < messageCharsMin || message.length > messageCharsMax)
    throw invalidField('message', `must have ${messageCharsMin} to ${messageCharsMax} characters`);
  const replyTo = report.replyTo === '' ? null : requireEmailAddress(report.replyTo, 'replyTo').written;
  await requireAdmission(errorReportLimiter, 'all', 'Too many error reports in the last hour.');
  const stored = { id: ids.next<'error report'>(), about: errorPageOf(report.about), message, replyTo };
  const now = clock.now();
  await database.transaction().execute(async (transaction) => {
    await insertErrorReport(transaction, stored, now);
    await storeForDesk?.(transaction, stored, now);
  });
}

export interface ErrorReportSweepDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly site: MailSite;
  readonly sendMail: SendMail;
  readonly editorsEmail: string;
}

const leaseMs = 10 * 60_000;
const attemptsMax = 100;

/** Sent at least once: a duplicate error report is harmless, a lost one is not. */
export function createErrorReportSweep(deps: ErrorReportSweepDeps): Sweep {
  const { clock, logger, site, sendMail, editorsEmail } = deps;
  return {
    name: 'send-error-reports',
    everySeconds: 5,
    run: async ({ transaction, signal }) => {
      while (!signal.aborted) {
        const report = await transaction((inside) => leaseErrorReport(inside, clock.now(), leaseMs));
        if (report === null) return;
        const isLast = report.attempts >= attemptsMax;
        try {
          await sendMail({ to: editorsEmail, ...composeErrorReport(site, report) });
        } catch (error) {
          logger.error({ err: error, report: report.id, isLast }, 'a reported error was not mailed');
          if (!isLast) continue;
        }
        await transaction((inside) => removeErrorReport(inside, report));
      }
    },
  };
}

/** Plain text, every line of the reader marked. */
function composeErrorReport(
  { baseUrl, language }: MailSite,
  { about, message, replyTo }: ErrorReport,
): Omit<Parameters<SendMail>[0], 'to'> {
  const lines = message
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${line.replaceAll(/\p{C}/gu, ' ')}`);
  const { errorReport: words } = mailWordsOf(language);
  return {
    subject: about === '' ? words.subject : filled(words.subjectAbout, { about }),
    text: filled(words.text, {
      about: about === '' ? words.noPage : baseUrl + about,
      replyTo: replyTo ?? words.noAddress,
      message: lines.join('\n'),
    }),
    ...(replyTo === null ? {} : { headers: { 'Reply-To': replyTo } }),
  };
}

import { randomBytes } from 'node:crypto';

import type { Config } from '../config/config.ts';
import type { CalendarClock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { EngineDeclarations } from '../foundation/engine/engine-declarations.ts';
import { createIdSource } from '../foundation/ids.ts';
import { createStrictLimiter } from '../foundation/limits/strict-limiter.ts';
import type { Logger } from '../foundation/logger.ts';
import { createMailSurface, mailFormLimit, recipientLimit } from '../foundation/mail/mail-limits.ts';
import type { SendMail } from '../foundation/mail/smtp-sender.ts';
import { createSmtpSender } from '../foundation/mail/smtp-sender.ts';
import { errorReportLimit } from '../mailing/error-reports/index.ts';
import type { Mailing } from '../mailing/index.ts';
import { mailingWork } from '../mailing/index.ts';
import type { newsroomWork } from '../newsroom/index.ts';

/** Null where no mail server is set. */
export function openMailSender({ mail }: Config): SendMail | null {
  return mail.smtpUrl === '' ? null : createSmtpSender({ url: mail.smtpUrl, from: mail.from });
}

/** Opens subscriptions for the pages; their limits share one window with the account's forms. */
export function openMailing(config: Config, database: Database, clock: CalendarClock): Mailing | null {
  if (config.mail.smtpUrl === '') return null;
  return {
    database,
    clock,
    ids: createIdSource({ clock, randomBytes }),
    mailSurface: createMailSurface(createStrictLimiter({ database, ...mailFormLimit })),
    recipientLimiter: createStrictLimiter({ database, ...recipientLimit }),
    errorReportLimiter: createStrictLimiter({ database, ...errorReportLimit }),
    errorReports: config.mail.editorsEmail !== '',
  };
}

/** The editors' mailbox for alerts about sources; null without a desk, a mail server or an address. */
export function openAlertMail(config: Config): Required<Parameters<typeof newsroomWork>[0]>['alertMail'] {
  const sendMail = openMailSender(config);
  const { editorsEmail: to } = config.mail;
  if (sendMail === null || to === '' || config.newsroom.organization === null) return null;
  return { sendMail, to, baseUrl: config.news.baseUrl, language: config.site.language };
}

/** The jobs of a worker that send editions. */
export function mailWork(
  config: Config,
  database: Database,
  clock: CalendarClock,
  logger: Logger,
): EngineDeclarations {
  const sendMail = openMailSender(config);
  if (sendMail === null) return {};
  const site = { baseUrl: config.news.baseUrl, language: config.site.language };
  const { editorsEmail } = config.mail;
  return mailingWork({ database, clock, logger, site, sendMail, editorsEmail });
}

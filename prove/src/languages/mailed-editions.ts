import { readConfig } from '../../../apps/server/src/config/config.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { createLogger } from '../../../apps/server/src/foundation/logger.ts';
import { createSmtpSender } from '../../../apps/server/src/foundation/mail/smtp-sender.ts';
import { readerLanguages } from '../../../apps/server/src/foundation/reader-language.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { Mailing } from '../../../apps/server/src/mailing/index.ts';
import {
  mailingWork,
  requestSubscription,
  saveSubscription,
} from '../../../apps/server/src/mailing/index.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import { openMailing } from '../../../apps/server/src/wiring/mailing.ts';
import { startMailServer } from '../../../apps/server/test/mail-server.ts';
import { InlineEngine } from '../../../apps/simulation/src/inline-engine.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { baseUrl } from '../news/news-stage.ts';

/** One subscriber of each language, to daily and weekly. */
export interface Subscribers {
  /** Sends the recent editions as a worker does. */
  readonly send: () => Promise<MailedEditions>;
  readonly stop: () => Promise<void>;
}

export interface MailedEditions {
  readonly count: number;
  /** The plain text of the mail that the subscriber of this language received. */
  readonly textOf: (key: editions.EditionKey, language: ReaderLanguage) => string | undefined;
  readonly htmlOf: (key: editions.EditionKey, language: ReaderLanguage) => string | undefined;
}

const choices = { daily: true, weekly: true };

interface Received {
  readonly language: ReaderLanguage;
  readonly text: string;
  readonly html: string;
}

/** Editions are mailed to those who subscribed before. */
export async function subscribe({ database, urls }: NewsStage): Promise<Subscribers> {
  const received: Received[] = [];
  const server = await startMailServer((source, [to = '']) => {
    const language = readerLanguages.find((one) => to === addressOf(one));
    if (language === undefined) return;
    const [text, html] = [partOf(source, 'plain'), partOf(source, 'html')];
    received.push({ language, text, html });
  });
  const config = readConfig({ DATABASE_URL: urls.application, DAYBOOK_SMTP_URL: server.url });
  const mailing = openMailing(config, database, systemClock) as Mailing;
  const { sweeps = [] } = mailingWork({
    database,
    clock: systemClock,
    logger: createLogger('silent', 'prove'),
    site: { baseUrl, language: 'en' },
    sendMail: createSmtpSender({ url: server.url, from: 'Daybook <daybook@example.com>' }),
  });
  const { transaction, enqueue } = new InlineEngine(database, 1);
  const context = { epoch: 1, transaction, enqueue, signal: new AbortController().signal };
  const sendDue = async (): Promise<void> => {
    for (const sweep of sweeps) await sweep.run(context);
  };
  for (const language of readerLanguages)
    await requestSubscription(mailing, { email: addressOf(language), choices, language });
  await sendDue();
  for (const { text } of received.splice(0)) {
    const token = /[?]token=([0-9a-f]{64})/.exec(text)?.[1] ?? '';
    if ((await saveSubscription(mailing, token, choices)) === null) throw new Error('no confirmation');
  }
  return {
    send: async () => {
      await sendDue();
      return mailedEditions(received);
    },
    stop: server.stop,
  };
}

function addressOf(language: ReaderLanguage): string {
  return `${language}@example.org`;
}

function mailedEditions(received: readonly Received[]): MailedEditions {
  const mailOf = ({ kind, period }: editions.EditionKey, language: ReaderLanguage) =>
    received.find((mail) => mail.language === language && mail.text.includes(`/${kind}/${period}\n`));
  return {
    count: received.length,
    textOf: (key, language) => mailOf(key, language)?.text,
    htmlOf: (key, language) => mailOf(key, language)?.html,
  };
}

function partOf(source: string, type: 'plain' | 'html'): string {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  const parts = boundary === undefined ? [source] : source.split(`--${boundary}`);
  const part = parts.find((one) => new RegExp(`^Content-Type: text/${type}`, 'im').test(one)) ?? '';
  const [head = '', ...rest] = part.replace(/^\r\n/, '').split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const bytes = /^Content-Transfer-Encoding: base64/im.test(head)
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
  return bytes.toString().replaceAll('\r\n', '\n');
}

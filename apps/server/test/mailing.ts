import { readConfig } from '../src/config/config.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createSmtpSender } from '../src/foundation/mail/smtp-sender.ts';
import type { ReaderLanguage } from '../src/foundation/reader-language.ts';
import { mailingWork } from '../src/mailing/index.ts';
import type { editions } from '../src/record/index.ts';
import { openMailing } from '../src/wiring/mailing.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { createRecordFactory, valueOf } from './factories/record-factory.ts';
import { sendForm } from './form-client.ts';
import type { Answer } from './http-client.ts';
import type { ReceivedMail } from './mailbox.ts';
import { startMailbox } from './mailbox.ts';
import { baseUrl, startNewsApp } from './news-app.ts';

/** Subscriptions over HTTP and a real mail server; the test triggers sending and moves the clock. */
export async function startTestMailing(refusalOf: Parameters<typeof startMailbox>[0]) {
  const database = await createTestDatabase();
  const clock = createTestClock('2026-11-15T00:30:00.000Z');
  const mailbox = await startMailbox(refusalOf);
  const settings = { DAYBOOK_TRUSTED_PROXIES: '127.0.0.1', DAYBOOK_SMTP_URL: mailbox.url };
  const editorsEmail = 'editors@example.org';
  const config = readConfig({
    DATABASE_URL: database.urls.application,
    DAYBOOK_EDITORS_EMAIL: editorsEmail,
    ...settings,
  });
  const mailing = openMailing(config, database.database, clock) ?? undefined;
  if (mailing === undefined) throw new Error('there is a mail server');
  const app = await startNewsApp({ database, clock, settings, mailing });
  const factory = createRecordFactory({ database: database.database, clock });
  const { sweeps = [] } = mailingWork({
    database: database.database,
    clock,
    logger: createLogger('silent', 'test'),
    site: { baseUrl, language: 'en' },
    editorsEmail,
    sendMail: createSmtpSender({ url: mailbox.url, from: 'Daybook <daybook@example.com>' }),
  });
  const context = {
    epoch: 1,
    transaction: <Output>(work: (transaction: never) => Promise<Output>) =>
      database.database.transaction().execute((transaction) => work(transaction as never)),
    enqueue: () => Promise.reject(new Error('nothing is enqueued')),
    signal: new AbortController().signal,
  };
  const mailsTo = (address: string): readonly ReceivedMail[] =>
    mailbox.received.filter(({ to }) => to.includes(address));
  const sendDue = async (): Promise<void> => {
    for (const sweep of sweeps) await sweep.run(context);
  };
  const request = (
    email: string,
    report = 'daily',
    options: Parameters<typeof sendForm>[3] & {
      /** Of the page. */
      readonly language?: '/zh';
      /** Of the mails. */
      readonly chosen?: ReaderLanguage;
    } = {},
  ): Promise<Answer> =>
    sendForm(
      { app },
      `${options.language ?? ''}/subscribe`,
      { email, reports: report, ...(options.chosen && { language: options.chosen }) },
      options,
    );
  const save = (token: string, report = 'daily', chosen?: ReaderLanguage): Promise<Answer> =>
    sendForm({ app }, '/subscribe/manage', { token, reports: report, ...(chosen && { language: chosen }) });
  return {
    database,
    clock,
    app,
    mailbox,
    mailsTo,
    factory,
    request,
    save,
    /** Runs the job of a worker's two-second sweep. */
    sendDue,
    /** The secret of the newest mail to an address. */
    tokenOf: (address: string): string => mailsTo(address).at(-1)?.token ?? '',
    /** Requested and confirmed. */
    subscribe: async (email: string, report = 'daily'): Promise<string> => {
      await request(email, report);
      await sendDue();
      const token = mailsTo(email).at(-1)?.token ?? '';
      const answer = await save(token, report);
      if (answer.status !== 200) throw new Error(answer.text);
      return token;
    },
    issue: async (kind: editions.EditionKind, period: string, headline = `All of ${period}`) => {
      const item = await factory.publishSelected({ title: headline });
      const contents = {
        headline,
        overview: 'It was a day.',
        headlineCites: [item],
        overviewCites: [item],
        sections: [{ key: 'ai-models', label: 'Models', itemIds: [item] }],
        flashes: [],
      };
      valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
    },
    stop: async () => {
      await app.stop();
      await mailbox.stop();
      await database.drop();
    },
  };
}

export type TestMailing = Awaited<ReturnType<typeof startTestMailing>>;

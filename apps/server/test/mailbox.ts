import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
  readonly subject: string;
  /** Quoted-printable undone, as far as our own text needs it. */
  readonly body: string;
  /** The secret of the one link in it, if any. */
  readonly token: string | undefined;
}

export interface Mailbox {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** The newest mail to an address, as soon as there are so many. */
  readonly latestTo: (address: string, count?: number) => Promise<ReceivedMail>;
  readonly stop: () => Promise<void>;
}

/** A real SMTP server on loopback that keeps what it is sent. */
export async function startMailbox(): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      void text(stream).then((source) => {
        received.push(
          parseMail(
            source,
            session.envelope.rcptTo.map((one) => one.address),
          ),
        );
        done();
      });
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const mailsTo = (to: string): ReceivedMail[] => received.filter((mail) => mail.to.includes(to));
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    latestTo: async (to, count = 1) => {
      await expect
        .poll(() => mailsTo(to).length, { timeout: 15_000, interval: 20 })
        .toBeGreaterThanOrEqual(count);
      return mailsTo(to).at(-1) as ReceivedMail;
    },
    stop: () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      return closed.promise;
    },
  };
}

function parseMail(source: string, to: readonly string[]): ReceivedMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const body = rest
    .join('\r\n\r\n')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? '';
  return { to, source, subject, body, token: /[?]token=([0-9a-f]{64})/.exec(body)?.[1] };
}

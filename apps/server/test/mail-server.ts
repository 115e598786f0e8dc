import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A real SMTP server on loopback: takes what it is sent and hands it on. */
export async function startMailServer(
  onMail: (source: string, recipients: readonly string[]) => void,
): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const receive = async (): Promise<void> => {
        onMail(
          await text(stream),
          session.envelope.rcptTo.map((one) => one.address),
        );
        done();
      };
      void receive();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      return closed.promise;
    },
  };
}

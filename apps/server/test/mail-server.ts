import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A real SMTP server on loopback: takes what it is sent and hands it on. */
export async function startMailServer(
  onMail: (source: string, recipients: readonly string[]) => void,
  /** The code it refuses a recipient with; `lost`: takes the mail and answers nothing. Null: all is well. */
  refusalOf: (recipient: string) => number | 'lost' | null = () => null,
): Promise<MailServer> {
  const sockets: Socket[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusalOf(address);
      if (typeof refusal !== 'number') done();
      else done(Object.assign(new Error('not here'), { responseCode: refusal }));
    },
    onData: (stream, session, done) => {
      const receive = async (): Promise<void> => {
        const recipients = session.envelope.rcptTo.map((one) => one.address);
        const source = await text(stream).catch(() => null);
        // Whoever leaves in the middle has sent no mail.
        if (source === null) return;
        onMail(source, recipients);
        if (!recipients.some((one) => refusalOf(one) === 'lost')) done();
        else sockets.find(({ remotePort }) => remotePort === session.remotePort)?.destroy();
      };
      void receive();
    },
  });
  // Clients that are killed leave in the middle of a session.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.push(socket));
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

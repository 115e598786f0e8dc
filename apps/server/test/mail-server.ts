import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

export interface MailServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** A real SMTP server on loopback that passes on received mail. */
export async function startMailServer(
  onMail: (source: string, recipients: readonly string[]) => void,
  /** The code that it refuses a recipient with; `lost`: takes the mail without an answer. Null: accepts. */
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
        // A client that disconnects in the middle has sent no mail.
        if (source === null) return;
        onMail(source, recipients);
        if (!recipients.some((one) => refusalOf(one) === 'lost')) done();
        else sockets.find(({ remotePort }) => remotePort === session.remotePort)?.destroy();
      };
      void receive();
    },
  });
  // Killed clients disconnect in the middle of a session.
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

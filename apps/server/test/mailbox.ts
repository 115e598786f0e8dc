import { expect } from 'vitest';

import { startMailServer } from './mail-server.ts';

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly source: string;
  readonly subject: string;
  /** Decodes quoted-printable, as far as Daybook's text needs it. */
  readonly body: string;
  /** The secret of the one link in it, if any. */
  readonly token: string | undefined;
}

export interface Mailbox {
  readonly url: string;
  /** Without notices of sign-ins: in tests each comes from another network. */
  readonly received: readonly ReceivedMail[];
  readonly signInNews: readonly ReceivedMail[];
  /** The newest mail to an address, once this many have arrived. */
  readonly latestTo: (address: string, count?: number) => Promise<ReceivedMail>;
  readonly stop: () => Promise<void>;
}

/** A mail server that stores received mail. */
export async function startMailbox(refusalOf?: Parameters<typeof startMailServer>[1]): Promise<Mailbox> {
  const [received, signInNews]: [ReceivedMail[], ReceivedMail[]] = [[], []];
  const { url, stop } = await startMailServer((source, to) => {
    const mail = parseMail(source, to);
    (mail.subject === 'New sign-in to your account' ? signInNews : received).push(mail);
  }, refusalOf);
  const mailsTo = (to: string): ReceivedMail[] => received.filter((mail) => mail.to.includes(to));
  return {
    url,
    stop,
    received,
    signInNews,
    latestTo: async (to, count = 1) => {
      const poll = { timeout: 15_000, interval: 20 };
      await expect.poll(() => mailsTo(to).length, poll).toBeGreaterThanOrEqual(count);
      return mailsTo(to).at(-1) as ReceivedMail;
    },
  };
}

function parseMail(source: string, to: readonly string[]): ReceivedMail {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const bytes = rest
    .join('\r\n\r\n')
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const body = Buffer.from(bytes, 'latin1').toString();
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? '';
  return { to, source, subject, body, token: /[?]token=([0-9a-f]{64})/.exec(body)?.[1] };
}

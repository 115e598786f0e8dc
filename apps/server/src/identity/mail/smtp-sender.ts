import { createTransport } from 'nodemailer';

import type { SendMail } from './mail-workflow.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with login and password where the server wants them. */
  readonly url: string;
  readonly from: string;
}

const timeoutMs = 15_000;

export function createSmtpSender({ url, from }: SmtpOptions): SendMail {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Our mail is text of our own: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({
      from,
      // As an object: an address is never parsed as a list.
      to: { name: '', address: to },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}

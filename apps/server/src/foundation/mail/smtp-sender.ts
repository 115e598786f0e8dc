import type { Transporter } from 'nodemailer';

export interface MailToSend {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The same for every attempt at one mail, so that a receiver can detect duplicates. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type SendMail = (mail: MailToSend) => Promise<void>;

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with login and password where the server requires them. */
  readonly url: string;
  readonly from: string;
}

const timeoutMs = 15_000;

/** A connection for each mail: after an error it is clear which mail was being sent. */
export function createSmtpSender({ url, from }: SmtpOptions): SendMail {
  let transport: Transporter | undefined;
  return async ({ to, headers = {}, ...mail }) => {
    transport ??= await createTransport(url);
    await transport.sendMail({
      ...mail,
      from,
      // As an object: an address is never parsed as a list.
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    });
  };
}

async function createTransport(url: string): Promise<Transporter> {
  const nodemailer = await import('nodemailer');
  return nodemailer.createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Mail bodies are plain text from templates: nothing in them may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects to the server and signs in, without a mail; rejects with the reason. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = await createTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * Classifies an error of the sender: the server refused the address or the contents permanently, refused it
 * temporarily, was not ready to take any mail, or may have taken it.
 */
export type SendFailure =
  | 'address_refused'
  | 'message_refused'
  | 'refused_for_now'
  | 'server_unavailable'
  | 'in_doubt';

interface SmtpError {
  readonly code?: string;
  /** The command that was answered; `CONN` for errors without an answer. */
  readonly command?: string;
  readonly responseCode?: number;
  readonly timeoutType?: string;
  readonly syscall?: string;
  readonly message?: string;
}

/** Any error that may have happened after the mail was handed over is in doubt. */
export function sendFailureOf(error: unknown): SendFailure {
  const { code, command = '', responseCode, timeoutType, syscall, message = '' } = error as SmtpError;
  if (responseCode !== undefined && command === 'RCPT TO')
    return responseCode >= 500 ? 'address_refused' : 'refused_for_now';
  if (responseCode !== undefined && command === 'DATA')
    return responseCode >= 500 ? 'message_refused' : 'refused_for_now';
  const beforeMail =
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    ['EDNS', 'EAUTH', 'ETLS'].includes(code ?? '') ||
    ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'].includes(timeoutType ?? '') ||
    message.startsWith('Invalid greeting') ||
    (responseCode !== undefined && /^(?:EHLO|HELO|STARTTLS|AUTH|MAIL FROM)/.test(command));
  return beforeMail ? 'server_unavailable' : 'in_doubt';
}

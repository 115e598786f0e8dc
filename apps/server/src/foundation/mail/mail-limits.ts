import { hourMs } from '../clock.ts';
import { rateLimited, temporarilyUnavailable } from '../http/http-problems.ts';
import type { Surface } from '../http/surface.ts';
import { requireAdmission } from '../limits/strict-admission.ts';
import type { StrictLimiter } from '../limits/strict-limiter.ts';
import type { EmailAddress } from './email-address.ts';
import { emailHash } from './email-address.ts';

export const mailFormLimit = { name: 'mail-form', admittedMax: 10, windowMs: 10 * 60_000 } as const;
export const recipientLimit = { name: 'mail-recipient', admittedMax: 5, windowMs: hourMs } as const;

/** For forms that send mail or use a mailed link: one window per client address over all processes. */
export function createMailSurface(limiter: StrictLimiter): Surface {
  return {
    name: 'mail',
    cors: null,
    problems: [rateLimited, temporarilyUnavailable],
    admit: ({ key }) => requireAdmission(limiter, key, 'Too many e-mail requests from this IP address.'),
  };
}

export interface RecipientDeps {
  readonly recipientLimiter: StrictLimiter;
}

/**
 * Called before an anonymous request sends mail to an address. It counts whether or not the address has an account, so
 * that the refusal reveals nothing. Security notices to an account's owner bypass this limit.
 */
export function admitRecipient(
  { recipientLimiter }: RecipientDeps,
  { normalised }: EmailAddress,
): Promise<void> {
  const key = emailHash(normalised).toString('hex');
  return requireAdmission(recipientLimiter, key, 'Too many e-mails to this address were requested.');
}

import type { EmailAddress } from '../../foundation/mail/email-address.ts';
import { parseEmailAddress } from '../../foundation/mail/email-address.ts';
import type { Username } from '../accounts/account.ts';
import { parseDisplayName } from '../accounts/display-name.ts';
import { usernameFrom } from '../accounts/propose-username.ts';

/** A person as identified by a provider. */
export interface ExternalIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export type Claims = Readonly<Record<string, unknown>>;

export interface Newcomer {
  readonly email: EmailAddress;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly username: Username;
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
export function parseExternalIdentity({ iss, sub }: Claims): ExternalIdentity | null {
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  return /^[\x20-\x7e]{1,255}$/.test(sub) ? { issuer: iss, subject: sub } : null;
}

/** The data for a new account; null without a usable e-mail address. Only `true` makes the address verified. */
export function parseNewcomer(claims: Claims): Newcomer | null {
  const email = parseEmailAddress(textOf(claims['email']));
  if (!email.ok) return null;
  const [local = ''] = email.value.written.split('@');
  const written = textOf(claims['preferred_username']);
  const username = usernameFrom(written) ?? usernameFrom(local) ?? ('member' as Username);
  const names = [textOf(claims['name']), written, local].map((one) => parseDisplayName(one));
  return {
    email: email.value,
    emailVerified: claims['email_verified'] === true,
    name: names.find((name) => name.ok)?.value ?? username,
    username,
  };
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim.slice(0, 1_000) : '';
}

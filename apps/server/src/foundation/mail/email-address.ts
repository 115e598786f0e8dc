import { domainToASCII } from 'node:url';

import type { Brand } from '../brand.ts';
import { sha256Bytes } from '../hash.ts';
import { invalidField } from '../http/http-problems.ts';
import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';

/** The form that identifies accounts: lower case throughout, the domain in ASCII. */
export type NormalisedEmail = Brand<string, 'NormalisedEmail'>;

export interface EmailAddress {
  /** The local part as its owner writes it. */
  readonly written: string;
  readonly normalised: NormalisedEmail;
}

export const emailCharsMax = 254;

// ASCII only before the @: look-alike letters would make two addresses that readers cannot distinguish.
const localForm = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;

export function parseEmailAddress(text: string): Result<EmailAddress, 'malformed'> {
  if (text.length > emailCharsMax) return refused('malformed');
  const [local = '', host = '', ...rest] = text.split('@');
  if (rest.length > 0 || local.length > 64 || !localForm.test(local)) return refused('malformed');
  if (!domainCharacters.test(host)) return refused('malformed');
  const domain = domainToASCII(host);
  if (!domainForm.test(domain)) return refused('malformed');
  return accepted({
    written: `${local}@${domain}`,
    normalised: `${local.toLowerCase()}@${domain}` as NormalisedEmail,
  });
}

/** The same for a field of a request. */
export function requireEmailAddress(text: string, field = 'email'): EmailAddress {
  const email = parseEmailAddress(text);
  if (!email.ok) throw invalidField(field, 'is not a valid e-mail address');
  return email.value;
}

/** The key that attempts are counted under; unknown addresses need not be stored in clear text. */
export function emailHash(email: NormalisedEmail): Buffer {
  return sha256Bytes(email);
}

import { createHmac } from 'node:crypto';

import { secretsEqual } from '../../foundation/hash.ts';

/** The algorithm of authenticator apps: RFC 6238 with HMAC-SHA-1, six digits, 30 seconds. */
export const stepSeconds = 30;
export const secretBytes = 20;
const digits = 6;
/** Tolerates clock differences: one step before and one after. */
const stepsAccepted = [0, -1, 1] as const;

export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1000 / stepSeconds);
}

/** The code that an app shows during a step. */
export function timeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The currently accepted step with this code. */
export function matchingStep(secret: Buffer, code: string, nowMs: number): number | null {
  const now = stepAt(nowMs);
  const found = stepsAccepted.find((offset) => secretsEqual(timeCode(secret, now + offset), code));
  return found === undefined ? null : now + found;
}

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, as apps expect a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => base32Digits.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

/** The content of the QR code: the URI that authenticator apps read. */
export function otpauthAddress(
  secret: Buffer,
  account: { readonly email: string; readonly issuer: string },
): string {
  const label = `${encodeURIComponent(account.issuer)}:${encodeURIComponent(account.email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(account.issuer)}`;
}

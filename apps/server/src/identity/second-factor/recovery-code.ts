import { randomBytes } from 'node:crypto';

import { sha256Bytes } from '../../foundation/hash.ts';
import { base32 } from './time-code.ts';

export const recoveryCodesGiven = 10;
const recoveryCodeForm = /^[a-z2-7]{16}$/;

/** 80 random bits in four groups of four characters. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodesGiven }, () =>
    (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );
}

/** The stored form; null for an invalid code. Blanks, hyphens and case do not matter. */
export function recoveryCodeHash(typed: string): Buffer | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  return recoveryCodeForm.test(plain) ? sha256Bytes(plain) : null;
}

import { randomBytes } from 'node:crypto';

import { sha256Bytes } from '../../foundation/hash.ts';
import { base32 } from './time-code.ts';

export const recoveryCodesGiven = 10;
const recoveryCodeForm = /^[a-z2-7]{16}$/;

/** 80 random bits as people type them: four groups of four. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodesGiven }, () =>
    (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );
}

/** As it is stored; null for what cannot be one, whatever its blanks, hyphens and case. */
export function recoveryCodeHash(typed: string): Buffer | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  return recoveryCodeForm.test(plain) ? sha256Bytes(plain) : null;
}

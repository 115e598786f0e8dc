import { randomBytes } from 'node:crypto';

import { crc32Hex } from './hash.ts';

const randomHexDigits = 56;
const form = /^[0-9a-f]{64}$/;

/** 224 random bits and their CRC32, all in hex: a typing error is detected without a query. */
export function createCheckedSecret(): string {
  const random = randomBytes(randomHexDigits / 2).toString('hex');
  return random + crc32Hex(random);
}

export function isCheckedSecret(text: string): boolean {
  return form.test(text) && crc32Hex(text.slice(0, randomHexDigits)) === text.slice(randomHexDigits);
}

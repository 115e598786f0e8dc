import { randomBytes } from 'node:crypto';

import { crc32Hex, sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';

export type ApiKeyId = Id<'api key'>;

const randomHexDigits = 56;
const form = /^[0-9a-f]{64}$/;

/** 224 random bits and their CRC32, all in hex: a slip of the hand is seen without asking anyone. */
export function createApiKeySecret(): string {
  const random = randomBytes(randomHexDigits / 2).toString('hex');
  return random + crc32Hex(random);
}

export function isApiKeySecret(text: string): boolean {
  return form.test(text) && crc32Hex(text.slice(0, randomHexDigits)) === text.slice(randomHexDigits);
}

export function apiKeyHash(secret: string): Buffer {
  return sha256Bytes(secret);
}

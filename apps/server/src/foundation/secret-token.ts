import { randomBytes } from 'node:crypto';

import { sha256Bytes } from './hash.ts';

/** 256 random bits as 64 hex digits: refresh tokens, exchange codes, links in mail, browser sessions. */
export function createSecretToken(): string {
  return randomBytes(32).toString('hex');
}

/** The stored hash. A fast hash is enough: 256 random bits cannot be guessed. */
export function secretTokenHash(token: string): Buffer {
  return sha256Bytes(token);
}

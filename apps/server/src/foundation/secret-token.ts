import { randomBytes } from 'node:crypto';

import { sha256Bytes } from './hash.ts';

/** 256 random bits as 64 hex digits: refresh tokens, exchange codes, links in mail, browser sessions. */
export function createSecretToken(): string {
  return randomBytes(32).toString('hex');
}

/** What is stored of it. A fast hash is enough: there is nothing to guess in 256 bits. */
export function secretTokenHash(token: string): Buffer {
  return sha256Bytes(token);
}

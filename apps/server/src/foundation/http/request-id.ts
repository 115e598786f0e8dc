import { randomBytes } from 'node:crypto';

/** Random per process start: 84 bits, so that no two processes use the same id. */
const prefix = randomBytes(11).toString('base64url').slice(0, 14);
let counter = 0;

/** 22 URL-safe characters: a random prefix and a counter. Never taken from the caller: it appears in logs. */
export function createRequestId(): string {
  counter += 1;
  return prefix + counter.toString(36).padStart(8, '0');
}

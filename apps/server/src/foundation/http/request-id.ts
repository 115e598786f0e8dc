import { randomFillSync } from 'node:crypto';

// Random bytes are drawn in bulk: one system call for a thousand requests instead of one each.
const pool = Buffer.allocUnsafe(16 * 1024);
let offset = pool.length;

/** 128 random bits as 22 URL-safe characters. Never taken from the caller: it goes into our logs. */
export function createRequestId(): string {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += 16;
  return pool.toString('base64url', offset - 16, offset);
}

import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { Brand } from './brand.ts';

/** 64 lower-case hex digits. */
export type Sha256 = Brand<string, 'Sha256'>;

export function sha256(data: string | Uint8Array): Sha256 {
  return hash('sha256', data, 'hex') as Sha256;
}

export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
export function secretsEqual(one: string, other: string): boolean {
  return timingSafeEqual(sha256Bytes(one), sha256Bytes(other));
}

/** 8 lower-case hex digits. Detects typing errors, not forgeries. */
export function crc32Hex(data: string | Uint8Array): string {
  return crc32(data).toString(16).padStart(8, '0');
}

import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { Brand } from './brand.ts';
import type { Result } from './result.ts';
import { accepted, refused } from './result.ts';

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

/** Sum modulo 2^256 of the digests of a set's members, in any order of changes. */
export type SetHash = Brand<string, 'SetHash'>;

export const emptySetHash = '0'.repeat(64) as SetHash;

export function parseSetHash(text: string): Result<SetHash, 'malformed'> {
  return /^[0-9a-f]{64}$/.test(text) ? accepted(text as SetHash) : refused('malformed');
}

export function addToSetHash(sum: SetHash, member: Sha256): SetHash {
  return setHash(BigInt(`0x${sum}`) + BigInt(`0x${member}`));
}

export function subtractFromSetHash(sum: SetHash, member: Sha256): SetHash {
  return setHash(BigInt(`0x${sum}`) - BigInt(`0x${member}`));
}

function setHash(sum: bigint): SetHash {
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0') as SetHash;
}

import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  addToSetHash,
  crc32Hex,
  emptySetHash,
  parseSetHash,
  secretsEqual,
  sha256,
  sha256Bytes,
  subtractFromSetHash,
} from './hash.ts';
import type { Sha256 } from './hash.ts';

test('SHA-256 and CRC32 give their published check values', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(crc32Hex('123456789')).toBe('cbf43926');
  expect(crc32Hex('')).toBe('00000000');
});

test('text is hashed as its UTF-8 bytes, and hex and bytes are the same digest', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(sha256Bytes(text).toString('hex')).toBe(sha256(Buffer.from(text)));
      expect(crc32Hex(text)).toBe(crc32Hex(Buffer.from(text)));
    }),
  );
});

test('compares secrets as equal only when every character is equal, including different lengths', () => {
  const secret = randomBytes(32).toString('hex');
  expect(secretsEqual(secret, secret.slice())).toBe(true);
  expect(secretsEqual(secret, secret.slice(1))).toBe(false);
  expect(secretsEqual(secret, '')).toBe(false);
  expect(secretsEqual(secret, secret.toUpperCase().replace(/^./, 'x'))).toBe(false);
});

describe('the hash of a set', () => {
  const members = fc.array(fc.string().map(sha256), { maxLength: 20 });
  const sumOf = (digests: readonly Sha256[]) => digests.reduce(addToSetHash, emptySetHash);

  test('does not depend on the order of its members', () => {
    fc.assert(
      fc.property(members, fc.nat(), (digests, turn) => {
        const cut = digests.length === 0 ? 0 : turn % digests.length;
        const turned = [...digests.slice(cut), ...digests.slice(0, cut)].reverse();
        expect(sumOf(turned)).toBe(sumOf(digests));
      }),
    );
  });

  test('equals that of the remaining members after a removal, and of the empty set after all', () => {
    fc.assert(
      fc.property(members, fc.string().map(sha256), (digests, extra) => {
        expect(subtractFromSetHash(sumOf([...digests, extra]), extra)).toBe(sumOf(digests));
        expect(digests.reduce(subtractFromSetHash, sumOf(digests))).toBe(emptySetHash);
      }),
    );
  });

  test('changes with any member and always has 64 hex digits', () => {
    fc.assert(
      fc.property(members, fc.string().map(sha256), (digests, extra) => {
        const sum = sumOf(digests);
        expect(addToSetHash(sum, extra)).not.toBe(sum);
        expect(parseSetHash(sum)).toEqual({ ok: true, value: sum });
      }),
    );
  });

  test('carries over at 2^256 and borrows below zero', () => {
    const [one, all] = ['1'.padStart(64, '0') as Sha256, 'f'.repeat(64) as Sha256];
    expect(sumOf([all, one])).toBe(emptySetHash);
    expect(subtractFromSetHash(emptySetHash, one)).toBe(all);
  });

  test.each([
    '',
    '0'.repeat(63),
    '0'.repeat(65),
    'F'.repeat(64),
    `0x${'0'.repeat(62)}`,
    `${'0'.repeat(64)}\n`,
  ])('refuses %j', (text) => {
    expect(parseSetHash(text)).toEqual({ ok: false, reason: 'malformed' });
  });
});

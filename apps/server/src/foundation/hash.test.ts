import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { crc32Hex, secretsEqual, sha256, sha256Bytes } from './hash.ts';

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

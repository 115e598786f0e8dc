import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createRecoveryCodes, recoveryCodeHash } from './recovery-code.ts';
import { base32, matchingStep, otpauthAddress, stepAt, timeCode } from './time-code.ts';

const rfcSecret = Buffer.from('12345678901234567890');

describe('codes', () => {
  // RFC 6238, appendix B, cut to six digits.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('computes at %d seconds the code %s of the RFC', (seconds, code) => {
    expect(timeCode(rfcSecret, stepAt(seconds * 1000))).toBe(code);
  });

  test('accepts a code in its own half minute and the two adjacent ones only', () => {
    const step = stepAt(1_234_567_890_000);
    for (let offset = -5; offset <= 5; offset += 1) {
      const found = matchingStep(rfcSecret, timeCode(rfcSecret, step + offset), step * 30_000);
      expect(found).toBe(Math.abs(offset) <= 1 ? step + offset : null);
    }
  });
});

describe('base32', () => {
  test.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('encodes %s as %s, like RFC 4648', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
  });
});

test('escapes the e-mail address so that it cannot end the label or add a parameter', () => {
  fc.assert(
    fc.property(fc.string(), (email) => {
      const { searchParams, pathname } = new URL(otpauthAddress(rfcSecret, { email, issuer: 'Daybook' }));
      expect([...searchParams.keys()]).toEqual(['secret', 'issuer']);
      expect(decodeURIComponent(pathname)).toContain(`Daybook:${email}`);
    }),
  );
});

test('recognises recovery codes regardless of case, blanks and hyphens, and nothing else', () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/);
    expect(recoveryCodeHash(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toEqual(recoveryCodeHash(code));
  }
  for (const other of ['', '123456', 'abcd-efgh-ijkl-mno', 'abcd-efgh-ijkl-mno1', 'abcd-efgh-ijkl-mnop-q'])
    expect(recoveryCodeHash(other)).toBeNull();
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseEmailAddress } from './email-address.ts';

describe('an e-mail address', () => {
  test.each([
    ['Ada.Lovelace+news@Example.ORG', 'ada.lovelace+news@example.org'],
    ["o'brien@example.co", "o'brien@example.co"],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@例え.中国', 'ada@xn--r8jz45g.xn--fiqs8s'],
  ])('normalises %s to %s', (written, normalised) => {
    expect(parseEmailAddress(written)).toMatchObject({ ok: true, value: { normalised } });
  });

  test.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@localhost',
    'ada@example.org\0',
    'ada\0@example.org',
    'ada@example.org\r\nBcc: all@example.org',
    'ada@example.org,eve@example.org',
    'ada@eve@example.org',
    'ada @example.org',
    ' ada@example.org',
    '"ada"@example.org',
    'аda@example.org',
    'ada＠example.org',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@exa mple.org',
    'ada@example.org/x',
    'ada@-example.org',
    'a..da@example.org',
    '.ada@example.org',
    'ad\u200Ba@example.org',
    '\u212A@example.org',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'a'.repeat(250)}.org`,
  ])('refuses %j', (text) => {
    expect(parseEmailAddress(text)).toEqual({ ok: false, reason: 'malformed' });
  });

  test('the normalised form is its own normalised form and plain ASCII', () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'grapheme' })), (text) => {
        const parsed = parseEmailAddress(text);
        if (!parsed.ok) return;
        expect(parsed.value.normalised).toMatch(/^[\x21-\x7e]+$/);
        expect(parseEmailAddress(parsed.value.normalised)).toMatchObject({
          ok: true,
          value: { normalised: parsed.value.normalised },
        });
      }),
    );
  });
});

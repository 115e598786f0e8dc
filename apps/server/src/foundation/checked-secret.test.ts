import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createCheckedSecret, isCheckedSecret } from './checked-secret.ts';

test('a secret is 64 hex digits and recognises itself', () => {
  const secrets = new Set(Array.from({ length: 100 }, createCheckedSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(isCheckedSecret(secret)).toBe(true);
  }
});

test('detects any single wrong digit without a look-up', () => {
  const secret = createCheckedSecret();
  fc.assert(
    fc.property(fc.nat(63), fc.integer({ min: 1, max: 15 }), (place, change) => {
      const digit = (Number.parseInt(secret.charAt(place), 16) ^ change).toString(16);
      expect(isCheckedSecret(secret.slice(0, place) + digit + secret.slice(place + 1))).toBe(false);
    }),
  );
});

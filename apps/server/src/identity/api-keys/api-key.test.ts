import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { createApiKeySecret, isApiKeySecret } from './api-key.ts';

test('a secret is 64 hex digits and recognises itself', () => {
  const secrets = new Set(Array.from({ length: 100 }, createApiKeySecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(isApiKeySecret(secret)).toBe(true);
  }
});

test('any one wrong digit is noticed without a look-up', () => {
  const secret = createApiKeySecret();
  fc.assert(
    fc.property(fc.nat(63), fc.integer({ min: 1, max: 15 }), (place, change) => {
      const digit = (Number.parseInt(secret.charAt(place), 16) ^ change).toString(16);
      expect(isApiKeySecret(secret.slice(0, place) + digit + secret.slice(place + 1))).toBe(false);
    }),
  );
});

import { randomBytes } from 'node:crypto';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseUsername, usernameVariant } from '../accounts/account.ts';
import { parseNewcomer } from './openid-claims.ts';

const email = 'a.b@example.org';

test.each([
  ['Ada Lovelace', 'ada-lovelace'],
  ['Zoë_Ångström', 'zoe_angstrom'],
  ['ada@example.org', 'ada'],
  ['--x--', 'a-b'],
  ['李小龙', 'a-b'],
  ['', 'a-b'],
  ['x'.repeat(31) + '-y', 'x'.repeat(31)],
])('turns the preferred username "%s" into %s', (preferred_username, username) => {
  expect(parseNewcomer({ email, preferred_username })).toMatchObject({ username });
});

test('returns valid names or no person, whatever a provider claims', () => {
  const claim = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.anything());
  fc.assert(
    fc.property(claim, claim, claim, (preferred_username, name, address) => {
      for (const claims of [
        { preferred_username, name, email },
        { preferred_username, name, email: address },
      ]) {
        const newcomer = parseNewcomer(claims);
        if (newcomer === null) continue;
        expect(parseUsername(newcomer.username).ok).toBe(true);
        expect(parseUsername(usernameVariant(newcomer.username, randomBytes)).ok).toBe(true);
        expect(newcomer.name).not.toBe('');
        expect(newcomer.emailVerified).toBe(false);
      }
    }),
  );
});

test.each(['true', 1, {}, null])(
  'treats an address with email_verified %j as unverified',
  (email_verified) => {
    expect(parseNewcomer({ email, email_verified })).toMatchObject({ emailVerified: false });
  },
);

import { describe, expect, test } from 'vitest';

import { allows, compileAuthority, defineAction, escalationOf, resourceOf } from '../permissions/index.ts';
import { apiTokenFieldAction, apiTokenFields } from './api-token-privilege.ts';
import { policiesOfRole, roles } from './role-policies.ts';

const authorities = roles.map((role) => compileAuthority(policiesOfRole(role, 'acme')));
const whoMay = (action: string, ...path: string[]): string[] =>
  roles.filter((_role, index) =>
    allows(authorities[index]!, defineAction(action), resourceOf('acme', ...path)),
  );

test('each role is within the ones before it and within none after it', () => {
  for (const [one, granter] of authorities.entries()) {
    for (const [other, candidate] of authorities.entries())
      expect([one, other, escalationOf(granter, candidate) === null]).toEqual([one, other, one <= other]);
  }
});

test('a role grants no permission in another organization', () => {
  for (const granter of authorities) {
    for (const role of roles)
      expect(escalationOf(granter, compileAuthority(policiesOfRole(role, 'acme2')))).not.toBeNull();
  }
});

describe('the built-in roles', () => {
  test.each([
    ['Daybook.Core/Organization/read', [], ['owner', 'admin', 'member', 'viewer', 'guest']],
    ['Daybook.Core/Organization/update', [], ['owner', 'admin']],
    ['Daybook.Core/Organization/delete', [], ['owner']],
    ['Daybook.Core/Policies/read', ['policies', '7'], ['owner', 'admin']],
    ['Daybook.Core/ApiTokens/create', ['api-tokens'], ['owner', 'admin', 'member']],
    ['Daybook.Core/Members/read', ['members', 'ann'], ['owner', 'admin', 'member', 'viewer']],
    ['Daybook.Core/Members/update', ['members', 'ann'], ['owner', 'admin']],
    ['Daybook.Storage/Files/delete', ['projects', '1', 'files', '2'], ['owner', 'admin', 'member']],
    ['Daybook.Storage/Files/purge', ['projects', '1', 'files', '2'], ['owner', 'admin']],
    ['Daybook.Storage/Trash/purge', ['projects', '1'], ['owner', 'admin']],
    ['Daybook.Storage/Files/read', ['projects', '1', 'files', '2'], ['owner', 'admin', 'member', 'viewer']],
    ['Daybook.Newsroom/Corrections/create', ['newsroom', 'corrections'], ['owner', 'admin']],
  ])('permit %s on %j to exactly these roles', (action, path, expected) => {
    expect(whoMay(action, ...path)).toEqual(expected);
  });

  test.each(apiTokenFields)(
    'permit writing the field %s of a token to owners and admins, not to members who may update tokens',
    (field) => {
      const action = apiTokenFieldAction(field);
      expect(whoMay(action.text, 'api-tokens', 'build')).toEqual(['owner', 'admin']);
    },
  );
});

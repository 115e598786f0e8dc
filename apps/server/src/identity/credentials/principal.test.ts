import { expect, test } from 'vitest';

import { credentials } from '../index.ts';

type Principal = Parameters<typeof credentials.principalRole>[0];
type OrganizationId = Parameters<typeof credentials.principalRole>[1];

const [own, other, foreign] = ['own', 'other', 'foreign'] as unknown as OrganizationId[];
const account = {
  memberships: [
    { organizationId: own, role: 'owner' },
    { organizationId: other, role: 'viewer' },
  ],
} as unknown as Principal['account'];
const withCredential = (credential: object): Principal => ({ account, credential }) as Principal;

test.each([
  ['an access token', { kind: 'jwt' }, ['owner', 'viewer', null]],
  ['a browser', { kind: 'browser' }, ['owner', 'viewer', null]],
  ['a key for all organizations', { kind: 'api_key', organizations: null }, ['owner', 'viewer', null]],
  ['a key for one', { kind: 'api_key', organizations: [other] }, [null, 'viewer', null]],
  [
    'a key for one that the account is not in',
    { kind: 'api_key', organizations: [foreign] },
    [null, null, null],
  ],
])('limits the roles of the account with %s to the organizations of both', (_name, credential, roles) => {
  const principal = withCredential(credential);
  expect([own, other, foreign].map((id) => credentials.principalRole(principal, id!))).toEqual(roles);
});

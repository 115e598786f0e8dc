import type { Policy, WrittenPolicy } from '../permissions/policy.ts';
import { parsePolicy } from '../permissions/policy.ts';
import { resourceOf } from '../permissions/resource.ts';
import { apiTokenPrivilege } from './api-token-privilege.ts';

/** Each role has the permissions of the next one, and more. */
export const roles = ['owner', 'admin', 'member', 'viewer', 'guest'] as const;

export type Role = (typeof roles)[number];

const itself = '';
const everythingInside = '/**';

/** The permissions of a role; resources continue the path of the organization. */
const policiesOfRoles: Readonly<Record<Role, readonly WrittenPolicy[]>> = {
  owner: [{ actions: ['Daybook.**'], resources: [itself, everythingInside] }],
  // Everything inside, except deleting or transferring the organization.
  admin: [
    { actions: ['Daybook.*/*/*', apiTokenPrivilege], resources: [everythingInside] },
    { actions: ['Daybook.Core/Organization/read', 'Daybook.Core/Organization/update'], resources: [itself] },
  ],
  member: [
    {
      actions: [
        // Not purge: what a member deletes by mistake stays in the trash.
        'Daybook.Storage/*/read',
        'Daybook.Storage/*/create',
        'Daybook.Storage/*/update',
        'Daybook.Storage/*/delete',
        'Daybook.Agents/*/*',
        'Daybook.Newsroom/*/read',
        'Daybook.Core/Members/read',
      ],
      resources: [everythingInside],
    },
    { actions: ['Daybook.Core/ApiTokens/*'], resources: ['/api-tokens', '/api-tokens/**'] },
    { actions: ['Daybook.Core/Organization/read'], resources: [itself] },
  ],
  viewer: [
    {
      actions: [
        'Daybook.Storage/*/read',
        'Daybook.Agents/*/read',
        'Daybook.Newsroom/*/read',
        'Daybook.Core/Members/read',
      ],
      resources: [everythingInside],
    },
    { actions: ['Daybook.Core/Organization/read'], resources: [itself] },
  ],
  // Guests get all other permissions from policies of groups and from shares.
  guest: [{ actions: ['Daybook.Core/Organization/read'], resources: [itself] }],
};

export function policiesOfRole(role: Role, organization: string): readonly Policy[] {
  const { text: own } = resourceOf(organization);
  return policiesOfRoles[role].map(({ actions, resources }) => {
    const parsed = parsePolicy({ actions, resources: resources.map((rest) => own + rest) }, organization);
    if (!parsed.ok) throw new RangeError(`the policies of ${role}: ${JSON.stringify(parsed.faults)}`);
    return parsed.value;
  });
}

import { Type } from 'typebox';
import type { Static } from 'typebox';

import type { Account, OrganizationId } from './account.ts';
import { roleIn } from './account.ts';

export const UserSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String({ format: 'email' }),
    name: Type.String(),
    image: Type.String({ format: 'uri', description: 'Always an address; a generated picture by default.' }),
    organizationId: Type.String({
      format: 'uuid',
      description: 'The organization the account works in now.',
    }),
    role: Type.String({ description: 'Role in that organization: owner, admin, member or viewer.' }),
    workspaces: Type.Array(
      Type.Object(
        {
          workspaceId: Type.String({ format: 'uuid' }),
          workspaceName: Type.String(),
          role: Type.String(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'User', additionalProperties: false },
);

export type UserProfile = Static<typeof UserSchema>;

/** The account as its owner sees it; with a key that is confined to some organizations, only what lies in those. */
export function presentUser(
  account: Account,
  baseUrl: string,
  organizations: readonly OrganizationId[] | null = null,
): UserProfile {
  const visible = (id: OrganizationId): boolean => organizations === null || organizations.includes(id);
  const current = visible(account.organizationId)
    ? account.organizationId
    : (account.memberships.find((one) => visible(one.organizationId))?.organizationId ??
      account.organizationId);
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    image: account.imageUrl ?? `${baseUrl}/avatars/${account.id}.svg`,
    organizationId: current,
    role: roleIn(account, current) ?? 'member',
    workspaces: account.workspaces
      .filter((one) => visible(one.organizationId))
      .map(({ workspaceId, workspaceName, role }) => ({ workspaceId, workspaceName, role })),
  };
}

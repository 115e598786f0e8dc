import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import type { Account, OrganizationId } from './account.ts';
import { roleIn } from './account.ts';

export const UserSchema = titledObject('User', {
  id: Type.String({ format: 'uuid' }),
  email: Type.String({ format: 'email' }),
  name: Type.String(),
  image: Type.String({ format: 'uri', description: 'URL of the picture; a generated picture by default.' }),
  organizationId: Type.String({
    format: 'uuid',
    description: 'The current organization.',
  }),
  role: Type.String({
    description: 'Role in the current organization: owner, admin, member, viewer or guest.',
  }),
  workspaces: Type.Array(
    closedObject({
      workspaceId: Type.String({ format: 'uuid' }),
      workspaceName: Type.String(),
      role: Type.String(),
    }),
  ),
});

export type UserProfile = Static<typeof UserSchema>;

/** Further fields of `/api/v1/me`: the names in paths of the platform. */
export const OwnUserSchema = titledObject('OwnUser', {
  ...UserSchema.properties,
  username: Type.String({ description: '`{username}` in paths of the platform API.' }),
  organizations: Type.Array(
    titledObject('OwnOrganization', {
      id: Type.String({ format: 'uuid' }),
      platform_key: Type.String({ description: '`platform_key` or `{org}` of the platform API.' }),
      name: Type.String(),
      role: Type.String({ description: 'owner, admin, member, viewer or guest.' }),
    }),
    { description: 'All organizations of the account, in the order of joining.' },
  ),
});

/** Null for all organizations of the account. */
type Confinement = readonly OrganizationId[] | null;

const isVisible = (id: OrganizationId, confinement: Confinement): boolean =>
  confinement === null || confinement.includes(id);

export function presentOwnUser(
  account: Account,
  baseUrl: string,
  confinement: Confinement,
): Static<typeof OwnUserSchema> {
  return {
    ...presentUser(account, baseUrl, confinement),
    username: account.username,
    organizations: account.memberships
      .filter(({ organizationId }) => isVisible(organizationId, confinement))
      .map(({ organizationId: id, organizationKey: platform_key, organizationName: name, role }) => ({
        id,
        platform_key,
        name,
        role,
      })),
  };
}

/** The account as its owner sees it; with a key for some organizations, only those organizations. */
export function presentUser(account: Account, baseUrl: string, confinement: Confinement = null): UserProfile {
  const visible = (id: OrganizationId): boolean => isVisible(id, confinement);
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

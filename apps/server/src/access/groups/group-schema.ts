import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import {
  Instant,
  Numbers,
  PlatformKey,
  ResourceName,
  ResourceNumber,
  relationEntriesMax,
} from '../platform-schema.ts';
import type { GroupRelations } from './change-group.ts';
import type { GroupDetail } from './group-resource.ts';
import type { GroupRecord } from './group-store.ts';

const fields = { id: ResourceNumber, name: Type.String(), createdAt: Instant, updatedAt: Instant };

export const GroupSchema = titledObject('Group', fields);

export const GroupDetailSchema = titledObject('GroupDetail', {
  ...fields,
  users: Type.Array(Type.String(), { description: 'Usernames, including users whose membership has ended.' }),
  temporaryUsers: Type.Array(titledObject('TemporaryUser', { username: Type.String(), endsAt: Instant }), {
    description: 'Users with a temporary membership, and the time when it ends.',
  }),
  policies: Type.Array(ResourceNumber, { description: 'Policy ids.' }),
});

export const GroupPageSchema = pageSchema(GroupSchema, 'Groups');

const Usernames = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: relationEntriesMax, description }),
  );

const TemporaryUsers = Type.Optional(
  Type.Array(
    titledObject('TemporaryUserToAdd', {
      username: Type.String({ minLength: 1, maxLength: 100 }),
      ends_at: Type.String({
        maxLength: 40,
        description: 'A time in the future, such as 2026-11-16T00:00:00Z.',
      }),
    }),
    {
      maxItems: relationEntriesMax,
      description:
        'Members to add temporarily, or whose end time changes. `users_to_add` removes the end time.',
    },
  ),
);

export const NewGroupSchema = titledObject('NewGroup', {
  platform_key: PlatformKey,
  name: ResourceName,
  users_to_add: Usernames('Initial members.'),
  temporary_users_to_add: TemporaryUsers,
  policies_to_add: Numbers('Initial policies.'),
});

export const GroupChangeSchema = titledObject('GroupChange', {
  name: Type.Optional(ResourceName),
  users_to_add: Usernames('Members to add.'),
  users_to_remove: Usernames('Members to remove.'),
  temporary_users_to_add: TemporaryUsers,
  policies_to_add: Numbers('Policies to add.'),
  policies_to_remove: Numbers('Policies to remove.'),
});

export function relationsOf(body: GroupRelations): GroupRelations {
  const { users_to_add, users_to_remove, temporary_users_to_add, policies_to_add, policies_to_remove } = body;
  return { users_to_add, users_to_remove, temporary_users_to_add, policies_to_add, policies_to_remove };
}

export function presentGroup(group: GroupRecord): Static<typeof GroupSchema> {
  return {
    id: group.id,
    name: group.name,
    createdAt: isoMicroseconds(group.createdAt),
    updatedAt: isoMicroseconds(group.updatedAt),
  };
}

export function presentGroupDetail(group: GroupDetail): Static<typeof GroupDetailSchema> {
  return {
    ...presentGroup(group),
    users: [...group.users],
    temporaryUsers: group.temporaryUsers.map(({ username, endsAt }) => ({
      username,
      endsAt: isoMicroseconds(endsAt),
    })),
    policies: [...group.policies],
  };
}

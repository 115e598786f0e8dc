import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { untrimmedNamePattern } from '../../foundation/readable-name.ts';
import type { ApiKeyLimit } from '../credentials/api-key.ts';
import { keyPermissionsMax, permissionEntriesMax } from '../credentials/api-key.ts';
import type { ApiKeyRecord } from './api-key-store.ts';

const Instant = { format: 'date-time' };
const PermissionSchema = titledObject(
  'KeyPermission',
  {
    actions: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: permissionEntriesMax,
    }),
    resources: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: permissionEntriesMax,
    }),
  },
  { description: 'Actions and resources of one organization, as in a policy.' },
);

export const KeyLimitSchema = Type.Union(
  [Type.Literal('read_only'), Type.Array(PermissionSchema, { minItems: 1, maxItems: keyPermissionsMax })],
  {
    description:
      'Permissions of the key: reading (`read_only`) or the listed permissions. A key never has more permissions than you. Absent if the key has all your permissions.',
  },
);

const fields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  createdAt: Type.String(Instant),
  expiresAt: Type.Union([Type.String(Instant), Type.Null()], { description: 'Null if it does not expire.' }),
  lastUsedAt: Type.Union([Type.String(Instant), Type.Null()], {
    description: 'Accurate to the minute.',
  }),
  scopes: Type.Optional(
    closedObject(
      { organizations: Type.Array(Type.String()) },
      { description: 'Absent if the key is valid for all organizations.' },
    ),
  ),
  permissions: Type.Optional(KeyLimitSchema),
  status: Type.String({ description: '`active` if the key is neither revoked nor expired.' }),
};

export const ApiKeySchema = titledObject('ApiKey', fields);

export const CreatedApiKeySchema = titledObject('CreatedApiKey', {
  ...fields,
  key: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Returned only once.' }),
});

export const ApiKeyListSchema = Type.Array(ApiKeySchema);

export const NewApiKeySchema = titledObject('NewApiKey', {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: untrimmedNamePattern,
    description: 'Purpose of the key.',
  }),
  scopes: Type.Optional(
    closedObject(
      {
        organizations: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 100,
        }),
      },
      { description: 'Limits the key to these organizations.' },
    ),
  ),
  expiresAt: Type.Optional(
    Type.Union([Type.String({ ...Instant, maxLength: 40 }), Type.Null()], {
      description: 'A time in the future. Omit for a key that does not expire.',
    }),
  ),
  permissions: Type.Optional(KeyLimitSchema),
});

export type ApiKeyBody = Static<typeof ApiKeySchema>;

export function presentApiKey(key: ApiKeyRecord): ApiKeyBody {
  return {
    id: key.id,
    name: key.name,
    createdAt: isoMicroseconds(key.createdAt),
    expiresAt: key.expiresAt === null ? null : isoMilliseconds(key.expiresAt),
    lastUsedAt: key.lastUsedAt === null ? null : isoMilliseconds(key.lastUsedAt),
    ...(key.organizations === null ? {} : { scopes: { organizations: [...key.organizations] } }),
    ...presentLimit(key.limit),
    status: 'active',
  };
}

export function presentLimit(limit: ApiKeyLimit | null): Pick<ApiKeyBody, 'permissions'> {
  if (limit === null) return {};
  if (limit === 'read_only') return { permissions: limit };
  return {
    permissions: limit.map(({ actions, resources }) => ({
      actions: [...actions],
      resources: [...resources],
    })),
  };
}

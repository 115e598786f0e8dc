import { Type } from 'typebox';
import type { Static } from 'typebox';

import { isoMicroseconds, isoMilliseconds } from '../../foundation/instant.ts';
import { untrimmedNamePattern } from '../../foundation/readable-name.ts';
import type { ApiKeyLimit } from '../credentials/api-key.ts';
import { keyPermissionsMax, permissionEntriesMax } from '../credentials/api-key.ts';
import type { ApiKeyRecord } from './api-key-store.ts';

const Instant = { format: 'date-time' };
const PermissionSchema = Type.Object(
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
  {
    title: 'KeyPermission',
    additionalProperties: false,
    description: 'Each of the actions on each of the resources, all of one organization, as in a policy.',
  },
);

export const KeyLimitSchema = Type.Union(
  [Type.Literal('read_only'), Type.Array(PermissionSchema, { minItems: 1, maxItems: keyPermissionsMax })],
  {
    description:
      'What the key is limited to: reading (`read_only`), or the permissions that are named. It never gives more than you may do. Absent: everything that you may do.',
  },
);

const fields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  createdAt: Type.String(Instant),
  expiresAt: Type.Union([Type.String(Instant), Type.Null()], { description: 'Null: it does not expire.' }),
  lastUsedAt: Type.Union([Type.String(Instant), Type.Null()], {
    description: 'To the minute: not every use is written down.',
  }),
  scopes: Type.Optional(
    Type.Object(
      { organizations: Type.Array(Type.String()) },
      { additionalProperties: false, description: 'Absent: all organizations.' },
    ),
  ),
  permissions: Type.Optional(KeyLimitSchema),
  status: Type.String({ description: '`active` for a live key.' }),
};

export const ApiKeySchema = Type.Object(fields, { title: 'ApiKey', additionalProperties: false });

export const CreatedApiKeySchema = Type.Object(
  {
    ...fields,
    key: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Shown here and never again.' }),
  },
  { title: 'CreatedApiKey', additionalProperties: false },
);

export const ApiKeyListSchema = Type.Array(ApiKeySchema);

export const NewApiKeySchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: untrimmedNamePattern,
      description: 'What it is for.',
    }),
    scopes: Type.Optional(
      Type.Object(
        {
          organizations: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            minItems: 1,
            maxItems: 100,
          }),
        },
        { additionalProperties: false, description: 'Confines the key to these of your organizations.' },
      ),
    ),
    expiresAt: Type.Optional(
      Type.Union([Type.String({ ...Instant, maxLength: 40 }), Type.Null()], {
        description: 'In the future; without it the key does not expire.',
      }),
    ),
    permissions: Type.Optional(KeyLimitSchema),
  },
  { title: 'NewApiKey', additionalProperties: false },
);

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

import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { OwnUserSchema, presentOwnUser } from '../accounts/user-profile.ts';
import { KeyLimitSchema, presentLimit } from '../api-keys/api-key-schema.ts';
import type { Credential } from '../credentials/principal.ts';
import { principalOf } from '../credentials/principal.ts';

const CredentialSchema = titledObject('Credential', {
  type: Type.Enum(['jwt', 'api_key']),
  id: Type.String({ format: 'uuid', description: 'Id of the session or API key.' }),
  name: Type.Optional(Type.String({ description: 'Name of the API key.' })),
  scopes: Type.Optional(
    closedObject(
      { organizations: Type.Array(Type.String({ format: 'uuid' })) },
      { description: 'Absent if the key is valid for all organizations.' },
    ),
  ),
  permissions: Type.Optional(KeyLimitSchema),
});

const MeSchema = titledObject('Me', { user: OwnUserSchema, credential: CredentialSchema });

export function meRoutes(deps: {
  readonly dataSurface: Surface;
  readonly baseUrl: string;
}): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/me',
      surface: deps.dataSurface,
      operationId: 'getMe',
      tag: 'account',
      summary: 'Get the current account and credential.',
      responses: { 200: { description: 'The current account and its credential.', schema: MeSchema } },
      problems: [],
      handle: async ({ request, reply }) => {
        const { account, credential } = principalOf(request);
        const organizations = credential.kind === 'api_key' ? credential.organizations : null;
        return reply.header('cache-control', 'no-store').send({
          user: presentOwnUser(account, deps.baseUrl, organizations),
          credential: presentCredential(credential),
        });
      },
    }),
  ];
}

function presentCredential(credential: Credential): unknown {
  if (credential.kind === 'jwt') return { type: 'jwt', id: credential.sessionId };
  const { keyId: id, name, organizations, limit } = credential;
  return {
    type: 'api_key',
    id,
    name,
    ...(organizations === null ? {} : { scopes: { organizations } }),
    ...presentLimit(limit),
  };
}

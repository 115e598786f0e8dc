import { Type } from 'typebox';

import { conflict, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { parseId } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { clientOf } from '../client.ts';
import { principalOf } from '../credentials/principal.ts';
import { SuccessSchema } from '../sign-in/token-schema.ts';
import { ApiKeyListSchema, CreatedApiKeySchema, NewApiKeySchema, presentApiKey } from './api-key-schema.ts';
import { listLiveApiKeys } from './api-key-store.ts';
import type { ApiKeyDeps } from './issue-api-key.ts';
import { issueApiKey } from './issue-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export interface ApiKeyRoutesDeps extends ApiKeyDeps {
  readonly jwtSurface: Surface;
}

const tag = 'api-keys';
const path = '/api/v1/api-keys';

export function apiKeyRoutes(deps: ApiKeyRoutesDeps): readonly RouteDeclaration[] {
  const { jwtSurface: surface } = deps;
  return [
    defineRoute({
      method: 'POST',
      path,
      surface,
      operationId: 'createApiKey',
      tag,
      summary: 'Create an API key. The secret is returned only once.',
      body: NewApiKeySchema,
      bodyBytesMax: 16 * 1024,
      responses: { 201: { description: 'Created.', schema: CreatedApiKeySchema } },
      problems: [conflict],
      handle: async ({ body, request, reply }) => {
        const { account, credential } = principalOf(request);
        if (credential.kind !== 'jwt') throw new Error('this surface admits access tokens alone');
        const { name, expiresAt, scopes, permissions } = body;
        const asked = {
          account,
          sessionId: credential.sessionId,
          name,
          expiresAt,
          organizations: scopes?.organizations,
          limit: permissions,
          client: clientOf(request),
        };
        const { record, secret } = await issueApiKey(deps, asked);
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({ ...presentApiKey(record), key: secret });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      surface,
      operationId: 'listApiKeys',
      tag,
      summary: 'List your active API keys, newest first, without secrets.',
      responses: {
        200: { description: 'API keys that are neither revoked nor expired.', schema: ApiKeyListSchema },
      },
      problems: [],
      handle: async ({ request, reply }) => {
        const { account } = principalOf(request);
        const keys = await listLiveApiKeys(deps.database, account.id, deps.clock.now());
        return reply.header('cache-control', 'no-store').send(keys.map(presentApiKey));
      },
    }),
    revokeRoute(deps),
  ];
}

function revokeRoute(deps: ApiKeyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${path}/{key_id}`,
    surface: deps.jwtSurface,
    operationId: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key. It is refused within a second.',
    params: Type.Object({ key_id: Type.String({ description: 'The id of the key, not its secret.' }) }),
    responses: { 200: { description: 'Revoked.', schema: SuccessSchema } },
    problems: [notFound],
    handle: async ({ params, request, reply }) => {
      const { account } = principalOf(request);
      const keyId = parseId<'api key'>(params.key_id);
      const revoked =
        keyId.ok &&
        (await revokeApiKey(deps, {
          accountId: account.id,
          keyId: keyId.value,
          client: clientOf(request),
        }));
      if (!revoked) throw new ProblemError(notFound, 'API key not found.');
      return reply.header('cache-control', 'no-store').send({ success: true });
    },
  });
}

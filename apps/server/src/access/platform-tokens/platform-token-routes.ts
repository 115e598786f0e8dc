import { Type } from 'typebox';

import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import type { ChangeDeps } from '../changes/change-organization.ts';
import { changeRequestOf } from '../platform-routes-deps.ts';
import { PlatformQuery } from '../platform-schema.ts';
import { changePlatformToken, removePlatformToken } from './change-platform-token.ts';
import { createPlatformToken } from './create-platform-token.ts';
import {
  CreatedPlatformTokenSchema,
  FieldPermissionsSchema,
  NewPlatformTokenSchema,
  PlatformTokenChangeSchema,
  PlatformTokenDetailSchema,
  PlatformTokenListSchema,
  permissionFields,
  presentToken,
  presentTokenDetail,
} from './platform-token-schema.ts';
import type { ReadTokensDeps } from './read-platform-tokens.ts';
import { listPlatformTokens, readFieldPermissions, readPlatformToken } from './read-platform-tokens.ts';

export interface PlatformTokenRoutesDeps extends ReadTokensDeps, ChangeDeps {
  readonly surface: Surface;
}

const tag = 'api-tokens';
const collection = '/dm/api/core/platform/api-tokens/';
const item = `${collection}{name}`;
const params = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 400, description: 'The name of the token.' }),
});
const bodyBytesMax = 16 * 1024;

export function platformTokenRoutes(deps: PlatformTokenRoutesDeps): readonly RouteDeclaration[] {
  return [
    listRoute(deps),
    createRoute(deps),
    fieldPermissionsRoute(deps),
    readRoute(deps),
    changeRoute(deps),
    removeRoute(deps),
  ];
}

function listRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: collection,
    surface: deps.surface,
    operationId: 'listPlatformTokens',
    tag,
    summary: 'List tokens, newest first, without policies, groups and secrets.',
    description:
      'Your tokens and the tokens of members you manage. Expired tokens are listed until they are deleted.',
    query: PlatformQuery,
    responses: { 200: { description: 'The tokens.', schema: PlatformTokenListSchema } },
    problems: [forbidden, notFound],
    handle: async ({ query: { platform_key: key }, request, reply }) => {
      const tokens = await listPlatformTokens(deps, callerOf(request), key);
      return reply.header('cache-control', 'no-store').send(tokens.map((token) => presentToken(token, key)));
    },
  });
}

function createRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: collection,
    surface: deps.surface,
    operationId: 'createPlatformToken',
    tag,
    summary: 'Create a token. The secret is returned only once.',
    body: NewPlatformTokenSchema,
    bodyBytesMax,
    responses: { 201: { description: 'Created.', schema: CreatedPlatformTokenSchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict],
    handle: async ({ body, request, reply }) => {
      const { platform_key: platformKey, username, name, created, expires, expires_in } = body;
      const { token, secret } = await createPlatformToken(deps, {
        ...changeRequestOf(request, platformKey),
        token: { username, name, created, expires, expires_in, ...permissionFields(body) },
      });
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...presentTokenDetail(token, platformKey), key: secret });
    },
  });
}

function fieldPermissionsRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${collection}field-permissions/`,
    surface: deps.surface,
    operationId: 'readFieldPermissions',
    tag,
    summary: 'List the fields that you can set on a new token.',
    query: PlatformQuery,
    responses: { 200: { description: 'The permissions, by field.', schema: FieldPermissionsSchema } },
    problems: [forbidden, notFound],
    handle: async ({ query, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(await readFieldPermissions(deps, callerOf(request), query.platform_key)),
  });
}

function readRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: item,
    surface: deps.surface,
    operationId: 'readPlatformToken',
    tag,
    summary: 'Get a token with its policies and groups.',
    params,
    query: PlatformQuery,
    responses: { 200: { description: 'The token.', schema: PlatformTokenDetailSchema } },
    problems: [notFound],
    handle: async ({ params: { name }, query: { platform_key: platformKey }, request, reply }) => {
      const token = await readPlatformToken(deps, callerOf(request), { platformKey, name });
      return reply.header('cache-control', 'no-store').send(presentTokenDetail(token, platformKey));
    },
  });
}

function changeRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: item,
    surface: deps.surface,
    operationId: 'changePlatformToken',
    tag,
    summary: 'Update the mode, policies and groups of a token.',
    description:
      'You must have all permissions that the token gains: of added policies and groups; when the mode changes to `owner`, all permissions of its creator; when it changes to `token_policies`, all attached policies and groups.',
    params,
    query: PlatformQuery,
    body: PlatformTokenChangeSchema,
    bodyBytesMax,
    responses: { 200: { description: 'The updated resource.', schema: PlatformTokenDetailSchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict],
    handle: async ({ params: { name }, query: { platform_key: platformKey }, body, request, reply }) => {
      const token = await changePlatformToken(deps, {
        ...changeRequestOf(request, platformKey),
        name,
        fields: permissionFields(body),
      });
      return reply.header('cache-control', 'no-store').send(presentTokenDetail(token, platformKey));
    },
  });
}

function removeRoute(deps: PlatformTokenRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: item,
    surface: deps.surface,
    operationId: 'removePlatformToken',
    tag,
    summary: 'Delete a token. It is refused within a second.',
    params,
    query: PlatformQuery,
    responses: { 204: { description: 'Deleted.' } },
    problems: [forbidden, notFound],
    handle: async ({ params: { name }, query: { platform_key: platformKey }, request, reply }) => {
      await removePlatformToken(deps, { ...changeRequestOf(request, platformKey), name });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

import { Type } from 'typebox';

import {
  conflict,
  forbidden,
  internal,
  invalidCursor,
  notFound,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { credentials } from '../../identity/index.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import type { ChangeDeps } from '../changes/change-organization.ts';
import { NamedPageQuery, PlatformQuery, ResourceNumber } from '../platform-schema.ts';
import { changePolicy, createPolicy, removePolicy } from './change-policy.ts';
import {
  NewPolicySchema,
  PolicyChangeSchema,
  PolicyPageSchema,
  PolicySchema,
  presentPolicy,
} from './policy-schema.ts';
import type { ReadDeps } from './read-policies.ts';
import { listPolicies, readPolicy } from './read-policies.ts';

export interface PolicyRoutesDeps extends ReadDeps, ChangeDeps {
  readonly surface: Surface;
}

const tag = 'policies';
const collection = '/dm/api/core/rbac/policies/';
const item = `${collection}{policy_id}`;
const params = Type.Object({ policy_id: ResourceNumber });
const bodyBytesMax = 128 * 1024;

export function policyRoutes(deps: PolicyRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), createRoute(deps), readRoute(deps), changeRoute(deps), removeRoute(deps)];
}

function listRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: collection,
    surface: deps.surface,
    operationId: 'listPolicies',
    tag,
    summary: 'Policies of an organization.',
    query: NamedPageQuery,
    responses: { 200: { description: 'A page.', schema: PolicyPageSchema } },
    problems: [invalidCursor, forbidden, notFound, internal],
    handle: async ({ query, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(await listPolicies(deps, callerOf(request), query, presentPolicy)),
  });
}

function createRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: collection,
    surface: deps.surface,
    operationId: 'createPolicy',
    tag,
    summary: 'Makes a policy; it gives nothing until it is attached.',
    body: NewPolicySchema,
    bodyBytesMax,
    responses: { 201: { description: 'Made.', schema: PolicySchema } },
    problems: [forbidden, notFound, conflict, internal],
    handle: async ({ body, request, reply }) => {
      const { platform_key: platformKey, name, actions, resources } = body;
      const policy = await createPolicy(deps, {
        caller: callerOf(request),
        platformKey,
        client: credentials.clientOf(request),
        policy: { name, actions, resources },
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentPolicy(policy));
    },
  });
}

function readRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: item,
    surface: deps.surface,
    operationId: 'readPolicy',
    tag,
    summary: 'One policy.',
    params,
    query: PlatformQuery,
    responses: { 200: { description: 'The policy.', schema: PolicySchema } },
    problems: [notFound, internal],
    handle: async ({ params: { policy_id: id }, query, request, reply }) => {
      const asked = { platformKey: query.platform_key, id };
      const policy = await readPolicy(deps, callerOf(request), asked);
      return reply.header('cache-control', 'no-store').send(presentPolicy(policy));
    },
  });
}

function changeRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: item,
    surface: deps.surface,
    operationId: 'changePolicy',
    tag,
    summary: 'Changes a policy.',
    description:
      'Where it is attached to a group or token, all that it will say must lie within what you may do.',
    params,
    query: PlatformQuery,
    body: PolicyChangeSchema,
    bodyBytesMax,
    responses: { 200: { description: 'As it is now.', schema: PolicySchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict, internal],
    handle: async ({ params: { policy_id: id }, query, body, request, reply }) => {
      const policy = await changePolicy(deps, {
        caller: callerOf(request),
        platformKey: query.platform_key,
        client: credentials.clientOf(request),
        id,
        change: body,
      });
      return reply.header('cache-control', 'no-store').send(presentPolicy(policy));
    },
  });
}

function removeRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: item,
    surface: deps.surface,
    operationId: 'removePolicy',
    tag,
    summary: 'Removes a policy that is attached to nothing.',
    params,
    query: PlatformQuery,
    responses: { 204: { description: 'Removed.' } },
    problems: [forbidden, notFound, conflict, internal],
    handle: async ({ params: { policy_id: id }, query, request, reply }) => {
      await removePolicy(deps, {
        caller: callerOf(request),
        platformKey: query.platform_key,
        client: credentials.clientOf(request),
        id,
      });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

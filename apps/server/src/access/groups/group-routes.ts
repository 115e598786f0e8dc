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
import { credentials } from '../../identity/index.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import { NamedPageQuery, PlatformQuery, ResourceNumber } from '../platform-schema.ts';
import type { PolicyRoutesDeps } from '../policies/policy-routes.ts';
import { changeGroup, createGroup, removeGroup } from './change-group.ts';
import {
  GroupChangeSchema,
  GroupDetailSchema,
  GroupPageSchema,
  NewGroupSchema,
  presentGroup,
  presentGroupDetail,
  relationsOf,
} from './group-schema.ts';
import { listGroups, readGroup } from './read-groups.ts';

const tag = 'groups';
const collection = '/dm/api/core/rbac/groups/';
const item = `${collection}{group_id}`;
const params = Type.Object({ group_id: ResourceNumber });
const bodyBytesMax = 32 * 1024;

export function groupRoutes(deps: PolicyRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), createRoute(deps), readRoute(deps), changeRoute(deps), removeRoute(deps)];
}

function listRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: collection,
    surface: deps.surface,
    operationId: 'listGroups',
    tag,
    summary: 'Groups of an organization, without their users and policies.',
    query: NamedPageQuery,
    responses: { 200: { description: 'A page.', schema: GroupPageSchema } },
    problems: [invalidCursor, forbidden, notFound, internal],
    handle: async ({ query, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(await listGroups(deps, callerOf(request), query, presentGroup)),
  });
}

function createRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: collection,
    surface: deps.surface,
    operationId: 'createGroup',
    tag,
    summary: 'Makes a group of members and the policies that it gives them.',
    body: NewGroupSchema,
    bodyBytesMax,
    responses: { 201: { description: 'Made.', schema: GroupDetailSchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict, internal],
    handle: async ({ body, request, reply }) => {
      const group = await createGroup(deps, {
        caller: callerOf(request),
        platformKey: body.platform_key,
        client: credentials.clientOf(request),
        name: body.name,
        relations: relationsOf(body),
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentGroupDetail(group));
    },
  });
}

function readRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: item,
    surface: deps.surface,
    operationId: 'readGroup',
    tag,
    summary: 'One group, with its users and policies.',
    params,
    query: PlatformQuery,
    responses: { 200: { description: 'The group.', schema: GroupDetailSchema } },
    problems: [notFound, internal],
    handle: async ({ params: { group_id: id }, query, request, reply }) => {
      const asked = { platformKey: query.platform_key, id };
      const group = await readGroup(deps, callerOf(request), asked);
      return reply.header('cache-control', 'no-store').send(presentGroupDetail(group));
    },
  });
}

function changeRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: item,
    surface: deps.surface,
    operationId: 'changeGroup',
    tag,
    summary: 'Changes a group.',
    description:
      'Policies that you add must lie within what you may do; where you add users, so must all that the group then gives.',
    params,
    query: PlatformQuery,
    body: GroupChangeSchema,
    bodyBytesMax,
    responses: { 200: { description: 'As it is now.', schema: GroupDetailSchema } },
    problems: [forbidden, permissionEscalation, notFound, conflict, internal],
    handle: async ({ params: { group_id: id }, query, body, request, reply }) => {
      const group = await changeGroup(deps, {
        caller: callerOf(request),
        platformKey: query.platform_key,
        client: credentials.clientOf(request),
        id,
        name: body.name,
        relations: relationsOf(body),
      });
      return reply.header('cache-control', 'no-store').send(presentGroupDetail(group));
    },
  });
}

function removeRoute(deps: PolicyRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: item,
    surface: deps.surface,
    operationId: 'removeGroup',
    tag,
    summary: 'Removes a group that has no users and is on no token.',
    params,
    query: PlatformQuery,
    responses: { 204: { description: 'Removed.' } },
    problems: [forbidden, notFound, conflict, internal],
    handle: async ({ params: { group_id: id }, query, request, reply }) => {
      await removeGroup(deps, {
        caller: callerOf(request),
        platformKey: query.platform_key,
        client: credentials.clientOf(request),
        id,
      });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

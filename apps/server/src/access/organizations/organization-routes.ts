import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { untrimmedNamePattern } from '../../foundation/readable-name.ts';
import type { memberships } from '../../identity/index.ts';
import { callerOf } from '../callers/index.ts';
import { roles } from '../core-permissions/role-policies.ts';
import type { PlatformRoutesDeps } from '../platform-routes-deps.ts';
import { changeRequestOf } from '../platform-routes-deps.ts';
import { Instant, PlatformKey } from '../platform-schema.ts';
import { createOrganization, renameOrganization, switchOrganization } from './change-organizations.ts';
import { listOwnOrganizations, readOrganization } from './read-organizations.ts';

const tag = 'organizations';
const collection = '/dm/api/core/organizations/';
const params = Type.Object({ platform_key: PlatformKey });
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: untrimmedNamePattern,
  description: 'Display name.',
});

const OwnOrganizationSchema = titledObject('OwnOrganization', {
  id: Type.String({ format: 'uuid' }),
  platform_key: PlatformKey,
  name: Type.String(),
  role: Type.Enum([...roles], { description: 'Your role.' }),
  createdAt: Type.String({ ...Instant, description: 'Time when you joined.' }),
});

const OrganizationSchema = titledObject('Organization', {
  id: Type.String({ format: 'uuid' }),
  platform_key: PlatformKey,
  name: Type.String(),
});

const NewOrganizationSchema = titledObject('NewOrganization', {
  platform_key: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Used in URLs and policies. Cannot be changed. 3 to 32 of a-z, 0-9, - and _.',
  }),
  name: Name,
});

type OrganizationRoutesDeps = PlatformRoutesDeps & { readonly ownedOrganizationsMax: number };

export function organizationRoutes(deps: OrganizationRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), createRoute(deps), readRoute(deps), renameRoute(deps), switchRoute(deps)];
}

function listRoute(deps: PlatformRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: collection,
    surface: deps.surface,
    operationId: 'listOrganizations',
    tag,
    summary: 'List your organizations and roles.',
    query: UnfilteredPageQuery,
    responses: {
      200: { description: 'A page.', schema: pageSchema(OwnOrganizationSchema, 'Organizations') },
    },
    problems: [invalidCursor, forbidden],
    handle: async ({ query, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(await listOwnOrganizations(deps, callerOf(request), query, presentOwn)),
  });
}

function createRoute(deps: OrganizationRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: collection,
    surface: deps.surface,
    operationId: 'createOrganization',
    tag,
    summary: 'Create an organization. You become its owner, and it becomes your current organization.',
    body: NewOrganizationSchema,
    bodyBytesMax: 4 * 1024,
    responses: { 201: { description: 'Created.', schema: OwnOrganizationSchema } },
    problems: [forbidden, conflict],
    handle: async ({ body: { platform_key: platformKey, name }, request, reply }) => {
      const created = await createOrganization(deps, { ...changeRequestOf(request, platformKey), name });
      return reply.code(201).header('cache-control', 'no-store').send(presentOwn(created));
    },
  });
}

function readRoute(deps: PlatformRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${collection}{platform_key}`,
    surface: deps.surface,
    operationId: 'getOrganization',
    tag,
    summary: 'Get an organization.',
    params,
    responses: { 200: { description: 'The updated resource.', schema: OrganizationSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params: { platform_key: platformKey }, request, reply }) =>
      reply
        .header('cache-control', 'no-store')
        .send(presentOrganization(await readOrganization(deps, callerOf(request), platformKey))),
  });
}

function renameRoute(deps: PlatformRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: `${collection}{platform_key}`,
    surface: deps.surface,
    operationId: 'renameOrganization',
    tag,
    summary: 'Rename an organization. Its key does not change.',
    params,
    body: titledObject('OrganizationChange', { name: Name }),
    bodyBytesMax: 4 * 1024,
    responses: { 200: { description: 'The updated resource.', schema: OrganizationSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params: { platform_key: platformKey }, body: { name }, request, reply }) => {
      const renamed = await renameOrganization(deps, { ...changeRequestOf(request, platformKey), name });
      return reply.header('cache-control', 'no-store').send(presentOrganization(renamed));
    },
  });
}

function switchRoute(deps: PlatformRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `${collection}{platform_key}/switch`,
    surface: deps.surface,
    operationId: 'switchOrganization',
    tag,
    summary: 'Switch to an organization.',
    description:
      'Sets `organizationId` and `role` of `/api/v1/me` and of new access tokens. Your permissions do not change.',
    params,
    responses: { 204: { description: 'Switched.' } },
    problems: [forbidden, notFound],
    handle: async ({ params: { platform_key: platformKey }, request, reply }) => {
      await switchOrganization(deps, callerOf(request), platformKey);
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

function presentOwn(own: memberships.OwnOrganization): Static<typeof OwnOrganizationSchema> {
  const { id, key, name, role, createdAt } = own;
  return { id, platform_key: key, name, role, createdAt: isoMicroseconds(createdAt) };
}

function presentOrganization(
  organization: Awaited<ReturnType<typeof readOrganization>>,
): Static<typeof OrganizationSchema> {
  const { id, key, name } = organization;
  return { id, platform_key: key, name };
}

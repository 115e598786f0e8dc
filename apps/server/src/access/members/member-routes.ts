import { Type } from 'typebox';
import type { Static } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import { roles } from '../core-permissions/role-policies.ts';
import type { PlatformRoutesDeps } from '../platform-routes-deps.ts';
import { changeRequestOf } from '../platform-routes-deps.ts';
import { Instant, PlatformPageQuery, PlatformQuery, ResourceNumber } from '../platform-schema.ts';
import { changeRole } from './change-role.ts';
import type { ListedMember } from './read-members.ts';
import { listMembers } from './read-members.ts';
import { removeMember } from './remove-member.ts';

const tag = 'members';
const collection = '/dm/api/core/rbac/members/';
const Role = Type.Enum([...roles]);
const params = Type.Object({ username: Type.String({ minLength: 1, maxLength: 100 }) });

const MemberSchema = titledObject('Member', {
  id: Type.String({ format: 'uuid' }),
  username: Type.String(),
  name: Type.String(),
  role: Role,
  groups: Type.Array(closedObject({ id: ResourceNumber, name: Type.String() }), {
    description: "The member's groups that you can read.",
  }),
  createdAt: Type.String({ ...Instant, description: 'Time of joining.' }),
  lastSeenAt: Type.Union([Instant, Type.Null()], {
    description: 'Last activity with a session, accurate to 5 minutes.',
  }),
  hasSecondFactor: Type.Optional(
    Type.Boolean({
      description:
        "Whether the member uses one-time codes, or a passkey without a password. Present only if you can change the member's role.",
    }),
  ),
});

const MembersQuery = closedObject({
  ...PlatformPageQuery.properties,
  query: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or username.' }),
  ),
});

const RoleChangeSchema = titledObject('RoleChange', { role: Role });

export function memberRoutes(deps: PlatformRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      surface: deps.surface,
      operationId: 'listMembers',
      tag,
      summary: 'List members with their roles and groups.',
      query: MembersQuery,
      responses: { 200: { description: 'A page.', schema: pageSchema(MemberSchema, 'Members') } },
      problems: [invalidCursor, forbidden, notFound],
      handle: async ({ query, request, reply }) =>
        reply
          .header('cache-control', 'no-store')
          .send(await listMembers(deps, callerOf(request), query, presentMember)),
    }),
    defineRoute({
      method: 'PATCH',
      path: `${collection}{username}`,
      surface: deps.surface,
      operationId: 'changeRole',
      tag,
      summary: 'Change the role of a member.',
      description: 'Neither the new role nor the current role can have more permissions than you.',
      params,
      query: PlatformQuery,
      body: RoleChangeSchema,
      bodyBytesMax: 1024,
      responses: { 200: { description: 'The updated resource.', schema: MemberSchema } },
      problems: [forbidden, permissionEscalation, notFound, conflict],
      handle: async ({ params: { username }, query, body, request, reply }) => {
        const member = await changeRole(deps, {
          ...changeRequestOf(request, query.platform_key),
          username,
          role: body.role,
        });
        return reply.header('cache-control', 'no-store').send(presentMember(member));
      },
    }),
    removeRoute(deps),
  ];
}

function removeRoute(deps: PlatformRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${collection}{username}`,
    surface: deps.surface,
    operationId: 'removeMember',
    tag,
    summary: 'Remove a member, or leave the organization.',
    description:
      "The member's role cannot have more permissions than you. Their tokens, group memberships, workspaces and sent invitations are deleted, and access ends within a second. The last owner cannot be removed.",
    params,
    query: PlatformQuery,
    responses: { 204: { description: 'Removed.' } },
    problems: [forbidden, permissionEscalation, notFound, conflict],
    handle: async ({ params: { username }, query, request, reply }) => {
      await removeMember(deps, { ...changeRequestOf(request, query.platform_key), username });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

function presentMember(member: ListedMember): Static<typeof MemberSchema> {
  const { id, username, name, role, groups, createdAt, lastSeenAt, hasSecondFactor } = member;
  return {
    id,
    username,
    name,
    role,
    groups: [...groups],
    createdAt: isoMicroseconds(createdAt),
    lastSeenAt: lastSeenAt === null ? null : isoMicroseconds(lastSeenAt),
    ...(hasSecondFactor !== null && { hasSecondFactor }),
  };
}

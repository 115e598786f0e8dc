import { Type } from 'typebox';
import type { Static } from 'typebox';

import {
  conflict,
  forbidden,
  internal,
  invalidCursor,
  notFound,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import { roles } from '../permissions/role-policies.ts';
import type { PlatformRoutesDeps } from '../platform-routes-deps.ts';
import { Instant, PlatformPageQuery, PlatformQuery, ResourceNumber } from '../platform-schema.ts';
import { changeRole } from './change-role.ts';
import type { ListedMember } from './read-members.ts';
import { listMembers } from './read-members.ts';
import { removeMember } from './remove-member.ts';

const tag = 'members';
const collection = '/dm/api/core/rbac/members/';
const Role = Type.Enum([...roles]);
const params = Type.Object({ username: Type.String({ minLength: 1, maxLength: 100 }) });

const MemberSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    username: Type.String(),
    name: Type.String(),
    role: Role,
    groups: Type.Array(
      Type.Object({ id: ResourceNumber, name: Type.String() }, { additionalProperties: false }),
      { description: 'Those of their groups that you may read.' },
    ),
    createdAt: Type.String({ ...Instant, description: 'When they joined.' }),
    lastSeenAt: Type.Union([Instant, Type.Null()], {
      description: 'When they last did something here with a session, to five minutes.',
    }),
    hasSecondFactor: Type.Optional(
      Type.Boolean({
        description:
          'Whether they have one-time codes, or a passkey and no password. Only where you may change their role.',
      }),
    ),
  },
  { title: 'Member', additionalProperties: false },
);

const MembersQuery = Type.Object(
  {
    ...PlatformPageQuery.properties,
    query: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Occurs in name or username.' }),
    ),
  },
  { additionalProperties: false },
);

const RoleChangeSchema = Type.Object({ role: Role }, { title: 'RoleChange', additionalProperties: false });

export function memberRoutes(deps: PlatformRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      surface: deps.surface,
      operationId: 'listMembers',
      tag,
      summary: 'Members of an organization, their roles and groups.',
      query: MembersQuery,
      responses: { 200: { description: 'A page.', schema: pageSchema(MemberSchema, 'Members') } },
      problems: [invalidCursor, forbidden, notFound, internal],
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
      summary: "Changes a member's role.",
      description: 'Neither the new role nor the present one may reach beyond what you may do.',
      params,
      query: PlatformQuery,
      body: RoleChangeSchema,
      bodyBytesMax: 1024,
      responses: { 200: { description: 'As it is now.', schema: MemberSchema } },
      problems: [forbidden, permissionEscalation, notFound, conflict, internal],
      handle: async ({ params: { username }, query, body, request, reply }) => {
        const member = await changeRole(deps, {
          caller: callerOf(request),
          platformKey: query.platform_key,
          client: credentials.clientOf(request),
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
    summary: 'Removes a member, or leaves where it is you.',
    description:
      'The role of whom you remove may not reach beyond what you may do. The tokens they have made, their groups, workspaces and the invitations they have sent go with them; every process refuses them within a second. The last owner stays.',
    params,
    query: PlatformQuery,
    responses: { 204: { description: 'Removed.' } },
    problems: [forbidden, permissionEscalation, notFound, conflict, internal],
    handle: async ({ params: { username }, query, request, reply }) => {
      await removeMember(deps, {
        caller: callerOf(request),
        platformKey: query.platform_key,
        client: credentials.clientOf(request),
        username,
      });
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

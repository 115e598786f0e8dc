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
import { isoMilliseconds } from '../../foundation/instant.ts';
import { pageQueryProperties, pageSchema } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import type { organizations } from '../../identity/index.ts';
import { permissionEscalation } from '../access-problems.ts';
import { callerOf } from '../callers/index.ts';
import { roles } from '../permissions/role-policies.ts';
import { Instant, PlatformKey, PlatformQuery } from '../platform-schema.ts';
import type { PolicyRoutesDeps } from '../policies/policy-routes.ts';
import { changeRole } from './change-role.ts';
import { listMembers } from './read-members.ts';

const tag = 'members';
const collection = '/dm/api/core/rbac/members/';
const Role = Type.Enum([...roles]);

const MemberSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    username: Type.String(),
    name: Type.String(),
    role: Role,
    createdAt: Type.String({ ...Instant, description: 'When they joined.' }),
  },
  { title: 'Member', additionalProperties: false },
);

const RoleChangeSchema = Type.Object({ role: Role }, { title: 'RoleChange', additionalProperties: false });

export function memberRoutes(deps: PolicyRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      surface: deps.surface,
      operationId: 'listMembers',
      tag,
      summary: 'Members of an organization and their roles.',
      query: Type.Object({ platform_key: PlatformKey, ...pageQueryProperties }),
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
      params: Type.Object({ username: Type.String({ minLength: 1, maxLength: 100 }) }),
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
  ];
}

function presentMember(member: organizations.Member): Static<typeof MemberSchema> {
  const { id, username, name, role, createdAt } = member;
  return { id, username, name, role, createdAt: isoMilliseconds(createdAt) };
}

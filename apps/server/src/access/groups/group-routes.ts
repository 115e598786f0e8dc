import { conflict, forbidden, internal, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { permissionEscalation } from '../access-problems.ts';
import { namedResourceRoutes } from '../named-resources/named-resource-routes.ts';
import type { PlatformRoutesDeps } from '../platform-routes-deps.ts';
import { changeGroup, createGroup } from './change-group.ts';
import { listGroups, readGroup, removeGroup } from './group-resource.ts';
import {
  GroupChangeSchema,
  GroupDetailSchema,
  GroupPageSchema,
  NewGroupSchema,
  presentGroup,
  presentGroupDetail,
  relationsOf,
} from './group-schema.ts';

export function groupRoutes(deps: PlatformRoutesDeps): readonly RouteDeclaration[] {
  return namedResourceRoutes({
    surface: deps.surface,
    noun: 'group',
    collection: 'groups',
    bodyBytesMax: 32 * 1024,
    page: GroupPageSchema,
    one: GroupDetailSchema,
    list: {
      operationId: 'listGroups',
      summary: 'Groups of an organization, without their users and policies.',
      run: (caller, query) => listGroups(deps, caller, query, presentGroup),
    },
    create: {
      operationId: 'createGroup',
      summary: 'Makes a group of members and the policies that it gives them.',
      body: NewGroupSchema,
      problems: [forbidden, permissionEscalation, notFound, conflict, internal],
      run: async (request, body) =>
        presentGroupDetail(
          await createGroup(deps, { ...request, name: body.name, relations: relationsOf(body) }),
        ),
    },
    read: {
      operationId: 'readGroup',
      summary: 'One group, with its users and policies.',
      run: async (caller, asked) => presentGroupDetail(await readGroup(deps, caller, asked)),
    },
    change: {
      operationId: 'changeGroup',
      summary: 'Changes a group.',
      description:
        'Policies that you add must lie within what you may do; where you add users, so must all that the group then gives.',
      body: GroupChangeSchema,
      run: async (request, body) =>
        presentGroupDetail(
          await changeGroup(deps, { ...request, name: body.name, relations: relationsOf(body) }),
        ),
    },
    remove: {
      operationId: 'removeGroup',
      summary: 'Removes a group that has no users and is on no token.',
      run: (request) => removeGroup(deps, request),
    },
  });
}

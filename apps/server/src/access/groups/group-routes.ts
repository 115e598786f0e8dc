import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
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
      summary: 'List groups, without users and policies.',
      run: (caller, query) => listGroups(deps, caller, query, presentGroup),
    },
    create: {
      operationId: 'createGroup',
      summary: 'Create a group with members and policies.',
      body: NewGroupSchema,
      problems: [forbidden, permissionEscalation, notFound, conflict],
      run: async (request, body) =>
        presentGroupDetail(
          await createGroup(deps, { ...request, name: body.name, relations: relationsOf(body) }),
        ),
    },
    read: {
      operationId: 'readGroup',
      summary: 'Get a group with its users and policies.',
      run: async (caller, asked) => presentGroupDetail(await readGroup(deps, caller, asked)),
    },
    change: {
      operationId: 'changeGroup',
      summary: 'Update a group.',
      description:
        'You must have the permissions of policies that you add. If you add users, you must have all permissions of the group.',
      body: GroupChangeSchema,
      run: async (request, body) =>
        presentGroupDetail(
          await changeGroup(deps, { ...request, name: body.name, relations: relationsOf(body) }),
        ),
    },
    remove: {
      operationId: 'removeGroup',
      summary: 'Delete a group without users and tokens.',
      run: (request) => removeGroup(deps, request),
    },
  });
}

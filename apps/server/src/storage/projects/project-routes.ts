import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import {
  pageSchema,
  sortedOrder,
  sortedPageQueryProperties,
  UnfilteredPageQuery,
} from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { nameTaken } from '../storage-problems.ts';
import {
  createProject,
  deleteProject,
  organizationKeyOf,
  renameProject,
  restoreProject,
} from './change-projects.ts';
import type { Project } from './project.ts';
import { listDeletedProjects, listProjects, readProject } from './read-projects.ts';

export interface StorageRoutesDeps extends StorageDeps {
  readonly surface: Surface;
}

const tag = 'projects';
export const ProjectParams = Type.Object({ project: Type.String({ maxLength: 64 }) });

const NameSchema = Type.String({ minLength: 1, maxLength: 1_000, description: 'In NFC; 1 to 255 bytes.' });

const ProjectSchema = titledObject('Project', {
  id: Type.String({ format: 'uuid' }),
  organization: Type.String({ description: 'The key of the organization.' }),
  workspaceId: Type.String({ format: 'uuid' }),
  name: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});

/** The organization of a request; absent: the first one of the account. */
export const organizationProperty = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'The key of one of your organizations. Default: the first organization that you joined. Specify it if you belong to several.',
  }),
);

function presentProject(project: Project) {
  const { id, organization, workspaceId, name, createdAt, updatedAt } = project;
  return {
    id,
    organization: organization.key,
    workspaceId,
    name,
    createdAt: isoMicroseconds(createdAt),
    updatedAt: isoMicroseconds(updatedAt),
  };
}

export function projectRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), deletedRoute(deps), createRoute(deps), ...oneRoutes(deps), restoreRoute(deps)];
}

function listRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects',
    surface: deps.surface,
    operationId: 'listProjects',
    tag,
    summary: 'List the projects that you can read.',
    query: closedObject({ ...sortedPageQueryProperties, organization: organizationProperty }),
    responses: {
      200: { description: 'A page.', schema: pageSchema(ProjectSchema, 'Projects', sortedOrder) },
    },
    problems: [invalidCursor, notFound],
    handle: async ({ query: { organization, ...page }, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = organization ?? organizationKeyOf(account);
      const asked = { ...storageRequestOf(request), organizationKey, page };
      return reply.header('cache-control', 'no-store').send(await listProjects(deps, asked, presentProject));
    },
  });
}

const DeletedProjectSchema = titledObject('DeletedProject', {
  ...ProjectSchema.properties,
  deletedAt: Type.String({ format: 'date-time' }),
});

function deletedRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/deleted-projects',
    surface: deps.surface,
    operationId: 'listDeletedProjects',
    tag,
    summary: 'List the deleted projects that you can restore, most recently deleted first.',
    description:
      'Projects can be restored for 30 days (`POST /api/v1/projects/{project}/restore`) with permission to delete them, or deleted permanently (`…/purge`) with `Daybook.Storage/Projects/purge`.',
    query: closedObject({ ...UnfilteredPageQuery.properties, organization: organizationProperty }),
    responses: {
      200: { description: 'A page.', schema: pageSchema(DeletedProjectSchema, 'DeletedProjects') },
    },
    problems: [invalidCursor, notFound],
    handle: async ({ query: { organization, ...page }, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = organization ?? organizationKeyOf(account);
      const found = await listDeletedProjects(
        deps,
        { ...storageRequestOf(request), organizationKey, page },
        (project) => ({
          ...presentProject(project),
          deletedAt: isoMicroseconds(project.trashedAt ?? project.updatedAt),
        }),
      );
      return reply.header('cache-control', 'no-store').send(found);
    },
  });
}

function createRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/projects',
    surface: deps.surface,
    operationId: 'createProject',
    tag,
    summary: 'Create a project.',
    body: titledObject('NewProject', {
      name: NameSchema,
      organization: organizationProperty,
      workspaceId: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    responses: { 201: { description: 'Created.', schema: ProjectSchema } },
    problems: [forbidden, notFound, nameTaken],
    handle: async ({ body, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const { name, organization: organizationKey, workspaceId } = body;
      const project = await createProject(deps, {
        ...storageRequestOf(request),
        account,
        project: {
          name,
          ...(organizationKey !== undefined && { organizationKey }),
          ...(workspaceId !== undefined && { workspaceId }),
        },
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentProject(project));
    },
  });
}

function oneRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  const one = { path: '/api/v1/projects/{project}', surface: deps.surface, tag, params: ProjectParams };
  return [
    defineRoute({
      ...one,
      method: 'GET',
      operationId: 'readProject',
      summary: 'Get a project.',
      responses: { 200: { description: 'The project.', schema: ProjectSchema } },
      problems: [notFound],
      handle: async ({ params, request, reply }) => {
        const project = await readProject(deps, {
          ...storageRequestOf(request),
          projectId: params.project,
        });
        return reply.header('cache-control', 'no-store').send(presentProject(project));
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: 'renameProject',
      summary: 'Rename a project.',
      body: titledObject('ProjectChange', { name: NameSchema }),
      responses: { 200: { description: 'The updated resource.', schema: ProjectSchema } },
      problems: [forbidden, notFound, nameTaken],
      handle: async ({ params, body, request, reply }) => {
        const asked = { ...storageRequestOf(request), projectId: params.project, name: body.name };
        return reply
          .header('cache-control', 'no-store')
          .send(presentProject(await renameProject(deps, asked)));
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteProject',
      summary: 'Move a project and its contents to the trash for 30 days.',
      responses: { 204: { description: 'Moved to the trash.' } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        await deleteProject(deps, { ...storageRequestOf(request), projectId: params.project });
        return reply.code(204).send();
      },
    }),
  ];
}

function restoreRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    surface: deps.surface,
    tag,
    params: ProjectParams,
    path: '/api/v1/projects/{project}/restore',
    method: 'POST',
    operationId: 'restoreProject',
    summary: 'Restore a project from the trash.',
    responses: { 200: { description: 'Restored.', schema: ProjectSchema } },
    problems: [forbidden, notFound, nameTaken],
    handle: async ({ params, request, reply }) => {
      const asked = { ...storageRequestOf(request), projectId: params.project };
      return reply
        .header('cache-control', 'no-store')
        .send(presentProject(await restoreProject(deps, asked)));
    },
  });
}

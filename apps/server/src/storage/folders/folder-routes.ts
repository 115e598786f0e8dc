import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { sortedPageQueryProperties } from '../../foundation/pagination/page-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import { changeHeaders } from '../request-headers.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf } from '../storage-actions.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { nameTaken, preconditionFailed } from '../storage-problems.ts';
import { changeEntry, createFolder, deleteEntry } from './change-entries.ts';
import {
  EntryChangeSchema,
  EntryPageSchema,
  EntryParams,
  FolderSchema,
  folderFields,
  folderIdOf,
  folderQuery,
  presentEntry,
  schemaOf,
  titleOf,
} from './entry-schema.ts';
import { listChildren, readEntry, searchByName } from './read-entries.ts';

export function folderRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    childrenRoute(deps),
    searchRoute(deps),
    createRoute(deps),
    ...entryRoutes(deps, 'folder'),
    ...entryRoutes(deps, 'file'),
  ];
}

function childrenRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects/{project}/children',
    surface: deps.surface,
    operationId: 'listChildren',
    tag: 'folders',
    summary: 'List the folders and files in a project or folder that you can read.',
    params: ProjectParams,
    query: closedObject({
      ...sortedPageQueryProperties,
      ...folderQuery('Omit to list the top level of the project.'),
    }),
    responses: { 200: { description: 'A page.', schema: EntryPageSchema } },
    problems: [invalidCursor, notFound],
    handle: async ({ params, query: { folder, folderId = folder, ...page }, request, reply }) => {
      const asked = {
        ...storageRequestOf(request),
        projectId: params.project,
        folderId: folderId ?? null,
        page,
      };
      return reply.header('cache-control', 'no-store').send(await listChildren(deps, asked, presentEntry));
    },
  });
}

function searchRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects/{project}/search',
    surface: deps.surface,
    operationId: 'searchByName',
    tag: 'folders',
    summary: 'Search folders and files by name, at any depth.',
    params: ProjectParams,
    query: closedObject({
      ...sortedPageQueryProperties,
      name: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'One or more parts of a name, separated by spaces. All must occur. Not case-sensitive.',
      }),
      ...folderQuery('Default: the whole project.'),
    }),
    responses: { 200: { description: 'A page.', schema: EntryPageSchema } },
    problems: [invalidCursor, notFound],
    handle: async ({ params, query: { folder, folderId = folder, name, ...page }, request, reply }) => {
      const where = { projectId: params.project, folderId: folderId ?? null };
      const asked = { ...storageRequestOf(request), ...where, name, page };
      return reply.header('cache-control', 'no-store').send(await searchByName(deps, asked, presentEntry));
    },
  });
}

function createRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/projects/{project}/folders',
    surface: deps.surface,
    operationId: 'createFolder',
    tag: 'folders',
    summary: 'Create a folder.',
    params: ProjectParams,
    body: titledObject('NewFolder', {
      name: Type.String({ minLength: 1, maxLength: 1_000, description: 'In NFC; 1 to 255 bytes.' }),
      ...folderFields('The folder that contains it. Default: the top level of the project.'),
    }),
    responses: { 201: { description: 'Created.', schema: FolderSchema } },
    problems: [forbidden, notFound, nameTaken, conflict],
    handle: async ({ params, body: { name, ...place }, request, reply }) => {
      const parentId = folderIdOf(place) ?? null;
      const asked = { ...storageRequestOf(request), projectId: params.project, parentId, name };
      const folder = await createFolder(deps, asked);
      return reply.code(201).header('cache-control', 'no-store').send(presentEntry(folder));
    },
  });
}

function ifMatchOf({ headers: { 'if-match': ifMatch } }: FastifyRequest): { readonly ifMatch?: string } {
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Folders and files share reading, renaming, moving and deleting. */
function entryRoutes(deps: StorageRoutesDeps, kind: EntryKind): readonly RouteDeclaration[] {
  const [schema, title] = [schemaOf[kind], titleOf[kind]];
  const tag = collectionOf[kind];
  const one = { path: `/api/v1/${tag}/{id}`, surface: deps.surface, tag, params: EntryParams };
  const entryOf = ({ id }: { readonly id: string }) => ({ id, kind });
  return [
    defineRoute({
      ...one,
      method: 'GET',
      operationId: `read${title}`,
      summary: `Get a ${kind}.`,
      responses: { 200: { description: `The ${kind}.`, schema } },
      problems: [notFound],
      handle: async ({ params, request, reply }) => {
        const entry = await readEntry(deps, { ...storageRequestOf(request), entry: entryOf(params) });
        return reply.header('cache-control', 'no-store').send(presentEntry(entry));
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: `change${title}`,
      summary: `Rename or move a ${kind} within its project.`,
      description: 'With `If-Match`, returns 412 if the content has changed.',
      requestHeaders: changeHeaders,
      body: EntryChangeSchema,
      responses: { 200: { description: 'The updated resource.', schema } },
      problems: [forbidden, notFound, nameTaken, conflict, preconditionFailed],
      handle: async ({ params, body: { name, ...place }, request, reply }) => {
        const parentId = folderIdOf(place);
        const entry = await changeEntry(deps, {
          ...storageRequestOf(request),
          entry: entryOf(params),
          ...(name !== undefined && { name }),
          ...(parentId !== undefined && { parentId }),
          ...ifMatchOf(request),
        });
        return reply.header('cache-control', 'no-store').send(presentEntry(entry));
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: `delete${title}`,
      summary: `Move a ${kind} to the trash for 30 days.`,
      description: 'With `If-Match`, returns 412 if the content has changed.',
      requestHeaders: changeHeaders,
      responses: { 204: { description: 'Moved to the trash.' } },
      problems: [forbidden, notFound, preconditionFailed],
      handle: async ({ params, request, reply }) => {
        await deleteEntry(deps, {
          ...storageRequestOf(request),
          entry: entryOf(params),
          ...ifMatchOf(request),
        });
        return reply.code(204).send();
      },
    }),
  ];
}

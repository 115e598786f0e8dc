import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { restoreEntry } from '../folders/change-entries.ts';
import {
  EntryParams,
  RestoreSchema,
  TrashPageSchema,
  presentEntry,
  schemaOf,
  titleOf,
} from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf } from '../storage-actions.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { nameTaken } from '../storage-problems.ts';
import { emptyProjectTrash, purgeEntry, purgeProject } from './purge-entries.ts';
import { listTrash } from './read-trash.ts';

/** Deleted entries: listing, restoring and purging. */
export function trashRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    ...wholeRoutes(deps),
    restoreRoute(deps, 'folder'),
    purgeRoute(deps, 'folder'),
    restoreRoute(deps, 'file'),
    purgeRoute(deps, 'file'),
    purgeProjectRoute(deps),
  ];
}

function wholeRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  const whole = {
    path: '/api/v1/projects/{project}/trash',
    surface: deps.surface,
    tag: 'folders',
    params: ProjectParams,
  };
  return [
    defineRoute({
      ...whole,
      method: 'GET',
      operationId: 'listTrash',
      summary: 'List the trash, most recently deleted first. Requires permission to delete the project.',
      query: UnfilteredPageQuery,
      responses: { 200: { description: 'A page.', schema: TrashPageSchema } },
      problems: [invalidCursor, forbidden, notFound],
      handle: async ({ params, query: page, request, reply }) => {
        const asked = { ...storageRequestOf(request), projectId: params.project, page };
        return reply.header('cache-control', 'no-store').send(await listTrash(deps, asked, presentEntry));
      },
    }),
    defineRoute({
      ...whole,
      method: 'DELETE',
      operationId: 'emptyTrash',
      summary: 'Empty the trash permanently. Requires `Daybook.Storage/Trash/purge` on the project.',
      responses: { 204: { description: 'Cannot be undone. The storage is freed within minutes.' } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        await emptyProjectTrash(deps, { ...storageRequestOf(request), projectId: params.project });
        return reply.code(204).send();
      },
    }),
  ];
}

function restoreRoute(deps: StorageRoutesDeps, kind: EntryKind): RouteDeclaration {
  return defineRoute({
    path: `/api/v1/${collectionOf[kind]}/{id}/restore`,
    surface: deps.surface,
    tag: collectionOf[kind],
    params: EntryParams,
    method: 'POST',
    operationId: `restore${titleOf[kind]}`,
    summary: `Restore a ${kind} from the trash to its original location.`,
    body: RestoreSchema,
    responses: { 200: { description: 'The updated resource.', schema: schemaOf[kind] } },
    problems: [forbidden, notFound, nameTaken, conflict],
    handle: async ({ params, body: { ifTaken = 'refuse' }, request, reply }) => {
      const asked = { ...storageRequestOf(request), entry: { id: params.id, kind }, ifTaken };
      return reply.header('cache-control', 'no-store').send(presentEntry(await restoreEntry(deps, asked)));
    },
  });
}

function purgeRoute(deps: StorageRoutesDeps, kind: EntryKind): RouteDeclaration {
  return defineRoute({
    path: `/api/v1/${collectionOf[kind]}/{id}/purge`,
    surface: deps.surface,
    tag: collectionOf[kind],
    params: EntryParams,
    method: 'POST',
    operationId: `purge${titleOf[kind]}`,
    summary: `Permanently delete a ${kind} in the trash${kind === 'folder' ? ' and its contents' : ''}.`,
    description: `Requires \`Daybook.Storage/${titleOf[kind]}s/purge\`.`,
    responses: { 204: { description: 'Cannot be undone. The storage is freed within minutes.' } },
    problems: [forbidden, notFound, conflict],
    handle: async ({ params, request, reply }) => {
      await purgeEntry(deps, { ...storageRequestOf(request), entry: { id: params.id, kind } });
      return reply.code(204).send();
    },
  });
}

function purgeProjectRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    path: '/api/v1/projects/{project}/purge',
    surface: deps.surface,
    tag: 'projects',
    params: ProjectParams,
    method: 'POST',
    operationId: 'purgeProject',
    summary: 'Permanently delete a project in the trash and its contents.',
    description: 'Requires `Daybook.Storage/Projects/purge`.',
    responses: { 204: { description: 'Cannot be undone. The storage is freed within minutes.' } },
    problems: [forbidden, notFound, conflict],
    handle: async ({ params, request, reply }) => {
      await purgeProject(deps, { ...storageRequestOf(request), projectId: params.project });
      return reply.code(204).send();
    },
  });
}

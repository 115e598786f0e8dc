import {
  conflict,
  forbidden,
  internal,
  invalidCursor,
  notFound,
} from '../../foundation/http/http-problems.ts';
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
import { listTrash } from '../folders/read-entries.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf } from '../storage-actions.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { nameTaken } from '../storage-problems.ts';
import { emptyProjectTrash, purgeEntry } from './purge-entries.ts';

/** What was deleted: listed, restored, and deleted for good. */
export function trashRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    ...wholeRoutes(deps),
    restoreRoute(deps, 'folder'),
    purgeRoute(deps, 'folder'),
    restoreRoute(deps, 'file'),
    purgeRoute(deps, 'file'),
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
      summary: 'What was deleted and can be restored, the last first. For whoever may delete the project.',
      query: UnfilteredPageQuery,
      responses: { 200: { description: 'A page.', schema: TrashPageSchema } },
      problems: [invalidCursor, forbidden, notFound, internal],
      handle: async ({ params, query: page, request, reply }) => {
        const asked = { ...storageRequestOf(request), projectId: params.project, page };
        return reply.header('cache-control', 'no-store').send(await listTrash(deps, asked, presentEntry));
      },
    }),
    defineRoute({
      ...whole,
      method: 'DELETE',
      operationId: 'emptyTrash',
      summary: 'Deletes for good what is in the trash. For whoever may delete the project.',
      responses: { 204: { description: 'Nothing of it can be restored; its room is free within minutes.' } },
      problems: [forbidden, notFound, internal],
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
    summary: `Takes a ${kind} out of the trash, to where it was.`,
    body: RestoreSchema,
    responses: { 200: { description: 'As it is now.', schema: schemaOf[kind] } },
    problems: [forbidden, notFound, nameTaken, conflict, internal],
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
    summary: `Deletes a ${kind} that is in the trash for good${kind === 'folder' ? ', with everything in it' : ''}.`,
    responses: { 204: { description: 'It cannot be restored; its room is free, of much within minutes.' } },
    problems: [forbidden, notFound, conflict, internal],
    handle: async ({ params, request, reply }) => {
      await purgeEntry(deps, { ...storageRequestOf(request), entry: { id: params.id, kind } });
      return reply.code(204).send();
    },
  });
}

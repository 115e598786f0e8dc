import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { scanProblems } from '../files/require-readable.ts';
import {
  EntryParams,
  FolderSchema,
  RestoreSchema,
  folderFields,
  folderIdOf,
  presentEntry,
  schemaOf,
  titleOf,
} from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { changeHeaders } from '../request-headers.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf } from '../storage-actions.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { nameTaken, preconditionFailed, quotaExceeded, tooManyEntries } from '../storage-problems.ts';
import { copyEntry } from './copy-entry.ts';
import { moveEntry } from './move-entry.ts';
import type { TransferTarget } from './transfer-target.ts';

const targetProperties = {
  projectId: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Another project of the organization. Default: the same project.',
    }),
  ),
  ...folderFields(
    'The target folder; null for the top level of the project. Default: the same folder, or the top level of another project.',
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'Default: the same name.' }),
  ),
  ...RestoreSchema.properties,
};

const FolderCopySchema = titledObject('CopiedFolder', {
  ...FolderSchema.properties,
  copied: Type.Integer({ minimum: 1, description: 'Folders and files that were copied.' }),
  omitted: Type.Integer({
    minimum: 0,
    description: 'Files that were omitted because they are not scanned yet, infected or not scannable.',
  }),
});

/** Copying and moving, also between projects of one organization. */
export function transferRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [copyFileRoute(deps), copyFolderRoute(deps), moveRoute(deps, 'file'), moveRoute(deps, 'folder')];
}

const transferProblems = [forbidden, notFound, nameTaken, quotaExceeded, conflict];
const quotaRule =
  'Bytes are not copied. Content counts once for each project that uses it: a copy in the same project uses no additional storage.';

function targetOf(body: Parameters<typeof folderIdOf>[0] & { readonly projectId?: string }): TransferTarget {
  const folderId = folderIdOf(body);
  return {
    ...(body.projectId !== undefined && { projectId: body.projectId }),
    ...(folderId !== undefined && { folderId }),
  };
}

function copyFileRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/files/{id}/copy',
    surface: deps.surface,
    operationId: 'copyFile',
    tag: 'files',
    summary: 'Copy a file within its project or to another project of the organization.',
    description: `The copy has the current content as its first version. ${quotaRule}`,
    params: EntryParams,
    body: titledObject('FileCopy', targetProperties),
    responses: { 201: { description: 'The copy.', schema: schemaOf.file } },
    problems: [...transferProblems, ...scanProblems],
    handle: async ({ params, body: { name, ifTaken = 'refuse', ...place }, request, reply }) => {
      const { entry } = await copyEntry(deps, {
        ...storageRequestOf(request),
        entry: { id: params.id, kind: 'file' },
        target: targetOf(place),
        ...(name !== undefined && { name }),
        ifTaken,
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentEntry(entry));
    },
  });
}

function copyFolderRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/folders/{id}/copy',
    surface: deps.surface,
    operationId: 'copyFolder',
    tag: 'folders',
    summary:
      'Copy a folder with the contents that you can read, within its project or to another project of the organization.',
    description: `Atomic, with at most 10,000 folders and files. Copies of files have the current content as their first version. ${quotaRule}`,
    params: EntryParams,
    body: titledObject('FolderCopy', targetProperties),
    responses: { 201: { description: 'The copy.', schema: FolderCopySchema } },
    problems: [...transferProblems, tooManyEntries],
    handle: async ({ params, body: { name, ifTaken = 'refuse', ...place }, request, reply }) => {
      const { entry, copied, omitted } = await copyEntry(deps, {
        ...storageRequestOf(request),
        entry: { id: params.id, kind: 'folder' },
        target: targetOf(place),
        ...(name !== undefined && { name }),
        ifTaken,
      });
      const answer = { ...presentEntry(entry), copied, omitted };
      return reply.code(201).header('cache-control', 'no-store').send(answer);
    },
  });
}

function moveRoute(deps: StorageRoutesDeps, kind: EntryKind): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `/api/v1/${collectionOf[kind]}/{id}/move`,
    surface: deps.surface,
    operationId: `move${titleOf[kind]}`,
    tag: collectionOf[kind],
    summary: `Move a ${kind} within its project or to another project of the organization.`,
    description:
      'Atomic. Within a project, requires `update` on the entry. To another project, requires `delete` on the entry, permission to read everything in it, including earlier versions, and `create` at the target. Ids and versions are preserved. Shares and links of content that moves to another project stop working, and deleted entries in it stay in the trash of their project.',
    params: EntryParams,
    requestHeaders: changeHeaders,
    body: titledObject(kind === 'file' ? 'FileMove' : 'FolderMove', targetProperties, { minProperties: 1 }),
    responses: { 200: { description: 'The moved resource.', schema: schemaOf[kind] } },
    problems: [...transferProblems, tooManyEntries, preconditionFailed],
    handle: async ({ params, body: { name, ifTaken = 'refuse', ...place }, request, reply }) => {
      const { 'if-match': ifMatch } = request.headers;
      const entry = await moveEntry(deps, {
        ...storageRequestOf(request),
        entry: { id: params.id, kind },
        target: targetOf(place),
        ...(name !== undefined && { name }),
        ifTaken,
        ...(ifMatch !== undefined && { ifMatch }),
      });
      return reply.header('cache-control', 'no-store').send(presentEntry(entry));
    },
  });
}

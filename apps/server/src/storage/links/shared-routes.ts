import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { contentResponses } from '../../foundation/http/send-content.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { credentials } from '../../identity/index.ts';
import { archiveProblems, archiveResponses, sendArchive } from '../files/archive-routes.ts';
import { contentProblems, contentStream, sendFile } from '../files/file-routes.ts';
import { downloadHeaders } from '../request-headers.ts';
import type { EntryKind } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import type { Link } from './link.ts';
import { authorizeLink, noteOpening } from './read-links.ts';

const tag = 'links';
const SecretParams = Type.Object({ secret: Type.String({ maxLength: 100 }) });
const endOf = { file: 'content', folder: 'archive' } as const;

/** The path of a link's target, below the base URL. */
export function sharedPath(kind: EntryKind, secret: string): string {
  return `/api/v1/shared/${secret}/${endOf[kind]}`;
}

/** For everyone with a secret, under the limits of anonymous requests; other origins cannot read responses. */
export function sharedRoutes(deps: StorageDeps, anonymous: Surface): readonly RouteDeclaration[] {
  const surface: Surface = { ...anonymous, name: 'links', cors: null };
  return [
    defineRoute({
      method: 'GET',
      path: sharedPath('file', '{secret}'),
      surface,
      operationId: 'readSharedFile',
      tag,
      summary: 'Download a file through a link.',
      description:
        'Supports `Range`, `If-Range` and `If-None-Match`. Returns 404 after the link has expired or was revoked.',
      params: SecretParams,
      requestHeaders: downloadHeaders,
      stream: contentStream,
      responses: contentResponses,
      problems: contentProblems,
      handle: async ({ params, request, reply }) => {
        const { link, asked } = await openLink(deps, params.secret, 'file', request);
        return sendFile(deps, { ...asked, fileId: link.entryId, version: null }, request, reply);
      },
    }),
    defineRoute({
      method: 'GET',
      path: sharedPath('folder', '{secret}'),
      surface,
      operationId: 'readSharedFolder',
      tag,
      summary: 'Download a folder through a link as a zip file, with the files that its creator can read.',
      description: 'Does not support `Range`. Returns 404 after the link has expired or was revoked.',
      params: SecretParams,
      stream: contentStream,
      responses: archiveResponses,
      problems: archiveProblems,
      handle: async ({ params, request, reply }) => {
        const { link, asked } = await openLink(deps, params.secret, 'folder', request);
        return sendArchive(deps, { ...asked, place: { folderId: link.entryId } }, request, reply);
      },
    }),
  ];
}

async function openLink(
  deps: StorageDeps,
  secret: string,
  kind: EntryKind,
  request: FastifyRequest,
): Promise<{ readonly link: Link; readonly asked: StorageRequest }> {
  const { link, caller } = await authorizeLink(deps, { secret, kind });
  if (isOpening(request)) await noteOpening(deps, link);
  return { link, asked: { caller, client: credentials.clientOf(request) } };
}

/** Later ranges of a player and HEAD requests do not count as openings. */
function isOpening({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/^bytes=(?!0-)/.test(headers.range ?? '');
}

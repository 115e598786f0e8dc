import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { internal, notFound } from '../../foundation/http/http-problems.ts';
import { streamOf } from '../../foundation/http/open-stream.ts';
import type { ResponseDeclaration, RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { EntryParams } from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { archiveTooLarge } from '../storage-problems.ts';
import { attachmentHeaders } from './attachment.ts';
import { contentStream } from './file-routes.ts';
import { readArchive } from './read-archive.ts';

const description =
  'Contains the files that you can read. Characters that are not allowed in file names on some systems are replaced by `_`. Files that are not scanned yet or infected are omitted. Files are not compressed. Does not support `Range`.';

export function archiveRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/folders/{id}/archive',
      surface: deps.surface,
      operationId: 'archiveFolder',
      tag: 'folders',
      summary: 'Download a folder and its contents as a zip file.',
      description,
      params: EntryParams,
      stream: contentStream,
      responses: archiveResponses,
      problems: archiveProblems,
      handle: async ({ params, request, reply }) =>
        sendArchive(deps, { ...storageRequestOf(request), place: { folderId: params.id } }, request, reply),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/projects/{project}/archive',
      surface: deps.surface,
      operationId: 'archiveProject',
      tag: 'projects',
      summary: 'Download the contents of a project as a zip file.',
      description,
      params: ProjectParams,
      stream: contentStream,
      responses: archiveResponses,
      problems: archiveProblems,
      handle: async ({ params, request, reply }) =>
        sendArchive(
          deps,
          { ...storageRequestOf(request), place: { projectId: params.project } },
          request,
          reply,
        ),
    }),
  ];
}

export const archiveResponses: Readonly<Record<number, ResponseDeclaration>> = {
  200: {
    description: 'The archive. It is incomplete if it ends before its `Content-Length`.',
    contentType: 'application/zip',
    schema: Type.String({ format: 'binary' }),
  },
};
export const archiveProblems = [notFound, archiveTooLarge, internal];

export async function sendArchive(
  deps: StorageDeps,
  asked: Parameters<typeof readArchive>[1],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { name, size, open } = await readArchive(deps, asked);
  reply.headers({
    ...attachmentHeaders(name),
    'content-type': 'application/zip',
    'content-length': String(size),
  });
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(open(streamOf(request).signal), { objectMode: false }));
}

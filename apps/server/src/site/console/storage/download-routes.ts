import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { contentResponses } from '../../../foundation/http/send-content.ts';
import type { StorageRequest } from '../../../storage/index.ts';
import { contents, texts } from '../../../storage/index.ts';
import { signInPath } from '../console-route.ts';
import { visitorOf } from '../visitor.ts';
import { previewByTicketRoute } from './preview-ticket.ts';
import type { StorageTools } from './storage-frame.ts';
import { ThingParams, storageRequest } from './storage-frame.ts';

/** Downloads of files, and of folders and projects as archives. */
export function downloadRoutes(tools: StorageTools): readonly RouteDeclaration[] {
  return [
    contentRoute(tools),
    tools.files.settings.previewUrl === null ? previewRoute(tools) : previewByTicketRoute(tools),
    pictureRoute(tools),
    archiveRoute(tools, 'folders', 'downloadFolderOnPage', (folderId) => ({ folderId })),
    archiveRoute(tools, 'projects', 'downloadProjectOnPage', (projectId) => ({ projectId })),
  ];
}

const signInFirst = { 303: { description: 'Sign in first.' } };

function contentRoute(tools: StorageTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/platform/{org}/files/{id}/content',
    surface: tools.pages,
    operationId: 'downloadFileOnPage',
    tag: 'pages',
    summary: 'The bytes of a file, or of one of its versions, to save.',
    params: ThingParams,
    query: closedObject({ version: Type.Optional(Type.Integer({ minimum: 1 })) }),
    stream: contents.contentStream,
    responses: { ...contentResponses, ...signInFirst },
    problems: contents.contentProblems,
    handle: async ({ params: { id }, query, request, reply }) =>
      forVisitor(tools, request, reply, (asked) =>
        contents.sendFile(
          tools.files,
          { ...asked, fileId: id, version: query.version ?? null },
          request,
          reply,
        ),
      ),
  });
}

function previewRoute(tools: StorageTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/platform/{org}/files/{id}/preview',
    surface: tools.pages,
    operationId: 'previewFileOnPage',
    tag: 'pages',
    summary: 'The bytes of a picture, a sound, a video or a text, to be shown.',
    params: ThingParams,
    stream: contents.contentStream,
    responses: { ...contentResponses, ...signInFirst },
    problems: contents.contentProblems,
    handle: async ({ params: { id }, request, reply }) =>
      forVisitor(tools, request, reply, (asked) =>
        contents.sendPreview(tools.files, { ...asked, fileId: id }, request, reply),
      ),
  });
}

function pictureRoute(tools: StorageTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/platform/{org}/files/{id}/picture',
    surface: tools.pages,
    operationId: 'showFilePicture',
    tag: 'pages',
    summary: 'A small picture of a file.',
    params: ThingParams,
    stream: contents.contentStream,
    responses: { ...contentResponses, ...signInFirst },
    problems: contents.contentProblems,
    handle: async ({ params: { id }, request, reply }) =>
      forVisitor(tools, request, reply, (asked) =>
        texts.sendPicture(tools.files, { ...asked, fileId: id }, request, reply),
      ),
  });
}

function archiveRoute(
  tools: StorageTools,
  collection: 'folders' | 'projects',
  operationId: string,
  placeOf: (id: string) => contents.ArchivedPlace,
): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `/platform/{org}/${collection}/{id}/archive`,
    surface: tools.pages,
    operationId,
    tag: 'pages',
    summary: 'Downloads a folder or project as a zip file.',
    params: ThingParams,
    stream: contents.contentStream,
    responses: { ...contents.archiveResponses, ...signInFirst },
    problems: contents.archiveProblems,
    handle: async ({ params: { id }, request, reply }) =>
      forVisitor(tools, request, reply, (asked) =>
        contents.sendArchive(tools.files, { ...asked, place: placeOf(id) }, request, reply),
      ),
  });
}

async function forVisitor(
  tools: StorageTools,
  request: FastifyRequest,
  reply: FastifyReply,
  send: (asked: StorageRequest) => Promise<unknown>,
): Promise<unknown> {
  const visitor = await visitorOf(tools.identity, request);
  if (visitor !== null) return send(storageRequest(visitor, request));
  return reply
    .code(303)
    .headers({ 'cache-control': 'no-store', location: signInPath(request) })
    .send();
}

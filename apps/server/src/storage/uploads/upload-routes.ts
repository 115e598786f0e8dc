import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  invalidField,
  notFound,
} from '../../foundation/http/http-problems.ts';
import { streamOf } from '../../foundation/http/open-stream.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { FileSchema, presentEntry } from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import { storingHeaders } from '../request-headers.ts';
import { fileBytesMax, storageRequestOf } from '../storage-deps.ts';
import { checksumMismatch, nameTaken, preconditionFailed, quotaExceeded } from '../storage-problems.ts';
import { listOpenUploads } from './open-uploads.ts';
import { cancelUpload, receiveContent, storeContent } from './receive-content.ts';
import { requireUpload, reserveUpload } from './reserve-upload.ts';
import {
  NewUploadSchema,
  OpenUploadSchema,
  UploadSchema,
  isMediaType,
  mediaTypeProperty,
  newUploadOf,
  placeProperties,
  presentOpenUpload,
  presentUpload,
} from './upload-schema.ts';

const tag = 'uploads';
export const UploadParams = Type.Object({ upload: Type.String({ maxLength: 64 }) });
export const uploadStream = { bodyBytesMax: fileBytesMax, progress: { bytes: 1_024, withinMs: 60_000 } };

export function uploadRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    reserveRoute(deps),
    readRoute(deps),
    abandonRoute(deps),
    openRoute(deps),
    contentRoute(deps),
    storeRoute(deps),
  ];
}

function reserveRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/uploads',
    surface: deps.surface,
    operationId: 'createUpload',
    tag,
    summary: 'Create an upload and reserve storage for it.',
    body: NewUploadSchema,
    responses: {
      201: { description: 'Send the bytes to `…/content` within 24 hours.', schema: UploadSchema },
    },
    problems: [forbidden, notFound, nameTaken, quotaExceeded, preconditionFailed],
    handle: async ({ body, request, reply }) => {
      const upload = await reserveUpload(deps, { ...storageRequestOf(request), upload: newUploadOf(body) });
      return reply.code(201).header('cache-control', 'no-store').send(presentUpload(upload));
    },
  });
}

function readRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/uploads/{upload}',
    surface: deps.surface,
    operationId: 'readUpload',
    tag,
    summary: 'Get the state of an upload.',
    params: UploadParams,
    responses: { 200: { description: 'The upload.', schema: UploadSchema } },
    problems: [notFound],
    handle: async ({ params, request, reply }) => {
      const { caller } = storageRequestOf(request);
      const upload = await requireUpload(deps, caller, params.upload);
      return reply.header('cache-control', 'no-store').send(presentUpload(upload));
    },
  });
}

function abandonRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: '/api/v1/uploads/{upload}',
    surface: deps.surface,
    operationId: 'abandonUpload',
    tag,
    summary: 'Cancel an upload and release its storage.',
    description:
      'Cancels your own upload or, with `Daybook.Storage/Uploads/purge` on the project, the upload of another user.',
    params: UploadParams,
    responses: { 204: { description: 'Cancelled.' } },
    problems: [notFound, conflict],
    handle: async ({ params, request, reply }) => {
      await cancelUpload(deps, { ...storageRequestOf(request), uploadId: params.upload });
      return reply.code(204).send();
    },
  });
}

function openRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects/{project}/uploads',
    surface: deps.surface,
    operationId: 'listOpenUploads',
    tag,
    summary: 'List the open uploads of all users in a project.',
    description: 'Requires `Daybook.Storage/Uploads/purge` on the project, which owners and admins have.',
    params: ProjectParams,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: pageSchema(OpenUploadSchema, 'OpenUploads') } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ params, query: page, request, reply }) => {
      const asked = { ...storageRequestOf(request), projectId: params.project, page };
      const found = await listOpenUploads(deps, asked, presentOpenUpload);
      return reply.header('cache-control', 'no-store').send(found);
    },
  });
}

function contentRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PUT',
    path: '/api/v1/uploads/{upload}/content',
    surface: deps.surface,
    operationId: 'sendContent',
    tag,
    summary: 'Send the content of an upload and complete it.',
    description: 'Failed requests can be retried. After completion, retries return the file.',
    params: UploadParams,
    stream: uploadStream,
    responses: { 200: { description: 'Stored.', schema: FileSchema } },
    problems: [checksumMismatch, forbidden, notFound, nameTaken, conflict, preconditionFailed],
    handle: async ({ params, request, reply }) => {
      const file = await receiveContent(deps, {
        ...storageRequestOf(request),
        uploadId: params.upload,
        stream: streamOf(request),
        contentLength: contentLengthOf(request),
      });
      return reply.header('cache-control', 'no-store').send(presentEntry(file));
    },
  });
}

function storeRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/projects/{project}/files',
    surface: deps.surface,
    operationId: 'storeFile',
    tag: 'files',
    summary: 'Upload a file in one request. The body is the content.',
    description:
      '`Content-Length` is required. With `If-Match`, returns 412 if the content has changed; with `If-None-Match: *`, if the name is taken. Without `mediaType`, the media type is that of `Content-Type`.',
    params: ProjectParams,
    query: closedObject({ ...placeProperties, mediaType: mediaTypeProperty }),
    requestHeaders: storingHeaders,
    stream: uploadStream,
    responses: { 201: { description: 'Stored.', schema: FileSchema } },
    problems: [checksumMismatch, forbidden, notFound, nameTaken, quotaExceeded, conflict, preconditionFailed],
    handle: async ({ params, query, request, reply }) => {
      const size = contentLengthOf(request);
      if (size === null) throw invalidField('Content-Length', 'is required', 'header');
      const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
      const isNew = ifNoneMatch?.trim() === '*';
      const mediaType = query.mediaType ?? sentMediaTypeOf(request);
      const fields = {
        ...query,
        projectId: params.project,
        size,
        ...(mediaType !== undefined && { mediaType }),
        ...(ifMatch !== undefined && { ifMatch }),
        ...(isNew && { ifTaken: 'refuse' as const }),
      };
      const stored = storeContent(deps, {
        ...storageRequestOf(request),
        upload: newUploadOf(fields),
        stream: streamOf(request),
      });
      const file = await (isNew ? stored.catch(raiseExisting) : stored);
      return reply.code(201).header('cache-control', 'no-store').send(presentEntry(file));
    },
  });
}

/** As `If-None-Match` requires. */
function raiseExisting(error: unknown): never {
  if (error instanceof ProblemError && error.definition === nameTaken)
    throw new ProblemError(preconditionFailed, 'A file or folder with this name exists.');
  throw error;
}

/** Without parameters. Programs name these two for any bytes. */
function sentMediaTypeOf({ headers }: FastifyRequest): string | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const isSaid = isMediaType(type) && type.toLowerCase() !== 'application/x-www-form-urlencoded';
  return isSaid ? type : undefined;
}

/** Null for a chunked body. */
function contentLengthOf({ headers }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

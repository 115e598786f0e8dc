import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { conflict, forbidden, notFound, payloadTooLarge } from '../../foundation/http/http-problems.ts';
import { streamOf } from '../../foundation/http/open-stream.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { HeaderDeclarations, Surface } from '../../foundation/http/surface.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { checksumMismatch, nameTaken, preconditionFailed, quotaExceeded } from '../storage-problems.ts';
import { cancelUpload } from './receive-content.ts';
import { appendContent, beginResumable, readResumable } from './resume-upload.ts';
import {
  describeProgress,
  firstPieceLength,
  newUploadFrom,
  pieceContentType,
  readPiece,
  requireTusVersion,
  tusAbilities,
  tusHeaders,
  tusVersion,
} from './tus-headers.ts';
import { offsetMismatch, unsupportedTusVersion, uploadGone, uploadLocked } from './tus-problems.ts';
import { UploadParams, uploadStream } from './upload-routes.ts';

/** The protocol is the same on every surface; the authentication differs. */
export interface TusPlace {
  /** The path that creates uploads; the path of each has its id appended. */
  readonly path: string;
  /** The parameters of that path. */
  readonly params: TObject;
  readonly surface: Surface;
  /** The surface for reading the offset, if it differs from the one for sending bytes. */
  readonly readingSurface?: Surface;
  /** The suffix of its operation ids, which must be unique. */
  readonly suffix: string;
  readonly tag: string;
  readonly requestOf: (request: FastifyRequest) => Promise<StorageRequest>;
}

/** For programs, with an access token or an API key. */
export function dataTus(surface: Surface): TusPlace {
  return {
    path: '/api/v1/tus',
    params: Type.Object({}),
    surface,
    suffix: '',
    tag: 'uploads',
    requestOf: async (request) => storageRequestOf(request),
  };
}

const count = Type.Integer({ minimum: 0 });
const headers = {
  'Tus-Resumable': { description: 'The tus version.', schema: Type.Enum([tusVersion]) },
  'Upload-Offset': { description: 'Number of bytes received.', schema: count },
  'Upload-Length': { description: 'Size of the file in bytes.', schema: count },
  'Upload-Expires': {
    description: 'Time when the upload expires; absent when all bytes are received.',
    schema: Type.String(),
  },
  Location: { description: 'URL for the bytes.', schema: Type.String({ format: 'uri-reference' }) },
} satisfies HeaderDeclarations;
const { 'Tus-Resumable': version, 'Upload-Offset': offset, 'Upload-Expires': expires } = headers;
const progressHeaders = { 'Tus-Resumable': version, 'Upload-Offset': offset, 'Upload-Expires': expires };

/** Errors when the last byte has arrived. */
const completionProblems = [checksumMismatch, nameTaken, conflict, preconditionFailed];

/** Resumable uploads by the tus protocol, which many clients support: https://tus.io/protocols/resumable-upload */
export function tusRoutes(deps: StorageDeps, place: TusPlace): readonly RouteDeclaration[] {
  const writing = { ...place, surface: speakingTus(place.surface) };
  const reading = { ...place, surface: speakingTus(place.readingSurface ?? place.surface) };
  return [
    createRoute(deps, writing),
    appendRoute(deps, writing),
    progressRoute(deps, reading),
    endRoute(deps, writing),
  ];
}

/** Every response names the version, errors too; other versions are refused. */
function speakingTus(surface: Surface): Surface {
  return {
    ...surface,
    problems: [...surface.problems, unsupportedTusVersion],
    authenticate: async (request, reply) => {
      reply.header('tus-resumable', tusVersion);
      await surface.authenticate?.(request, reply);
      requireTusVersion(request);
    },
  };
}

function createRoute(
  deps: StorageDeps,
  { path, params, surface, suffix, tag, requestOf }: TusPlace,
): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path,
    surface,
    operationId: `createTusUpload${suffix}`,
    tag,
    summary: 'Create a resumable upload (tus 1.0).',
    description:
      '`Upload-Metadata` has `projectId` and `filename` and optionally `filetype`, `folderId`, `ifTaken`, `sha256` and `ifMatch`, each in base64. The body is empty, or contains the first bytes with `Content-Type: application/offset+octet-stream` and `Content-Length` (creation-with-upload). If these bytes fail, the upload is cancelled.',
    params,
    requestHeaders: tusHeaders.creation,
    stream: { ...uploadStream, body: { contentType: pieceContentType, isOptional: true } },
    optionsHeaders: tusAbilities,
    responses: {
      201: {
        description: 'Send the remaining bytes to `Location`.',
        headers: { Location: headers.Location, ...progressHeaders },
      },
    },
    problems: [...completionProblems, forbidden, notFound, payloadTooLarge, quotaExceeded],
    handle: async ({ request, reply }) => {
      const wanted = newUploadFrom(request);
      const first = { contentLength: firstPieceLength(request), stream: streamOf(request) };
      const upload = await beginResumable(deps, { ...(await requestOf(request)), upload: wanted, first });
      const [here = ''] = request.url.split('?', 1);
      return describeProgress(reply, upload).code(201).header('location', `${here}/${upload.id}`).send();
    },
  });
}

function progressRoute(
  deps: StorageDeps,
  { path, params, surface, suffix, tag, requestOf }: TusPlace,
): RouteDeclaration {
  return defineRoute({
    method: 'HEAD',
    path: `${path}/{upload}`,
    surface,
    operationId: `readTusUpload${suffix}`,
    tag,
    summary: 'Get the offset of an upload.',
    params: uploadParams(params),
    requestHeaders: tusHeaders.version,
    responses: {
      200: {
        description: 'The upload.',
        headers: { ...progressHeaders, 'Upload-Length': headers['Upload-Length'] },
      },
    },
    problems: [...completionProblems, notFound, uploadGone],
    handle: async ({ params: { upload: uploadId }, request, reply }) => {
      const upload = await readResumable(deps, { ...(await requestOf(request)), uploadId });
      return describeProgress(reply, upload).header('upload-length', String(upload.size)).send();
    },
  });
}

function appendRoute(
  deps: StorageDeps,
  { path, params, surface, suffix, tag, requestOf }: TusPlace,
): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: `${path}/{upload}`,
    surface,
    operationId: `appendToTusUpload${suffix}`,
    tag,
    summary: 'Append bytes to an upload. The last byte completes the file.',
    description: "After the last byte, `GET /api/v1/uploads/{upload}` returns the file's id.",
    params: uploadParams(params),
    requestHeaders: tusHeaders.piece,
    stream: { ...uploadStream, body: { contentType: pieceContentType } },
    optionsHeaders: tusAbilities,
    responses: { 204: { description: 'Received up to `Upload-Offset`.', headers: progressHeaders } },
    problems: [
      ...completionProblems,
      forbidden,
      notFound,
      uploadGone,
      offsetMismatch,
      uploadLocked,
      quotaExceeded,
    ],
    handle: async ({ params: { upload: uploadId }, request, reply }) => {
      const piece = readPiece(request);
      const asked = { ...(await requestOf(request)), uploadId, ...piece, stream: streamOf(request) };
      return describeProgress(reply, await appendContent(deps, asked))
        .code(204)
        .send();
    },
  });
}

function endRoute(
  deps: StorageDeps,
  { path, params, surface, suffix, tag, requestOf }: TusPlace,
): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${path}/{upload}`,
    surface,
    operationId: `endTusUpload${suffix}`,
    tag,
    summary: 'Cancel a resumable upload and delete the received bytes.',
    params: uploadParams(params),
    requestHeaders: tusHeaders.version,
    responses: { 204: { description: 'Cancelled.', headers: { 'Tus-Resumable': version } } },
    problems: [notFound, conflict],
    handle: async ({ params: { upload: uploadId }, request, reply }) => {
      await cancelUpload(deps, { ...(await requestOf(request)), uploadId });
      return reply.code(204).send();
    },
  });
}

function uploadParams(params: TObject): typeof UploadParams {
  return Type.Object({ ...params.properties, ...UploadParams.properties });
}

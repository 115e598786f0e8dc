import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { partBytes, storageRequestOf } from '../storage-deps.ts';
import { checksumMismatch, directNotOffered, nameTaken, preconditionFailed } from '../storage-problems.ts';
import { completeParts, listArrivedParts, signParts } from './direct-upload.ts';
import { UploadParams } from './upload-routes.ts';
import { UploadSchema, presentUpload } from './upload-schema.ts';

const tag = 'uploads';
const part = {
  number: Type.Integer({ minimum: 1, maximum: 10_000 }),
  size: Type.Integer({ minimum: 0, maximum: partBytes, description: 'In bytes.' }),
};

/** Direct transfers between clients and the bucket. */
export function directRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [signRoute(deps), listRoute(deps), completeRoute(deps)];
}

function signRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/uploads/{upload}/parts',
    surface: deps.surface,
    operationId: 'signParts',
    tag,
    summary: 'Create pre-signed URLs for sending parts directly to the bucket.',
    description:
      'Valid for 15 minutes. Send exactly `size` bytes and the `headers`, without your token or key.',
    params: UploadParams,
    body: titledObject('PartsToSign', {
      parts: Type.Array(
        closedObject({
          number: part.number,
          md5: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z0-9+/]{22}==$',
              examples: ['XUFAKrxLKna5cZ2REBfFkg=='],
              description: 'MD5 of the part, in base64; the bucket rejects other content.',
            }),
          ),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    }),
    responses: { 200: { description: 'URLs for PUT requests.', schema: SignedPartsSchema } },
    problems: [forbidden, notFound, conflict, directNotOffered],
    handle: async ({ params, body, request, reply }) => {
      const wanted = body.parts.map(({ number, md5 = null }) => ({ number, md5 }));
      const asked = { ...storageRequestOf(request), uploadId: params.upload, parts: wanted };
      const { expiresAt, parts } = await signParts(deps, asked);
      return reply.header('cache-control', 'no-store').send({
        expiresAt: isoMicroseconds(expiresAt),
        parts: parts.map(({ number, size, url, md5 }) => ({
          number,
          size,
          url,
          headers: { ...(md5 !== null && { 'content-md5': md5 }) },
        })),
      });
    },
  });
}

const SignedPartsSchema = titledObject('SignedParts', {
  expiresAt: Type.String({ format: 'date-time' }),
  parts: Type.Array(
    titledObject('SignedPart', {
      ...part,
      url: Type.String({ format: 'uri' }),
      headers: Type.Record(Type.String(), Type.String()),
    }),
  ),
});

const PartsSchema = titledObject('UploadParts', {
  partBytes: Type.Integer({ description: 'Size of every part except the last.' }),
  parts: Type.Array(titledObject('UploadPart', { ...part, arrived: Type.Boolean() }), { maxItems: 320 }),
});

function listRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/uploads/{upload}/parts',
    surface: deps.surface,
    operationId: 'listParts',
    tag,
    summary: 'List the parts of an upload (at most 320) and whether each was received.',
    params: UploadParams,
    responses: { 200: { description: 'All parts.', schema: PartsSchema } },
    problems: [notFound, conflict, directNotOffered],
    handle: async ({ params, request, reply }) => {
      const asked = { ...storageRequestOf(request), uploadId: params.upload };
      const parts = await listArrivedParts(deps, asked);
      return reply.header('cache-control', 'no-store').send({ partBytes, parts });
    },
  });
}

function completeRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/uploads/{upload}/complete',
    surface: deps.surface,
    operationId: 'completeUpload',
    tag,
    summary: 'Complete an upload whose parts were all received.',
    description: 'After completion, retries return the same response.',
    params: UploadParams,
    responses: {
      200: { description: 'Completed. `fileId` is the id of the file.', schema: UploadSchema },
      202: {
        description: 'All parts are received, and the hash is being computed. Poll `GET …`.',
        schema: UploadSchema,
      },
    },
    problems: [
      checksumMismatch,
      forbidden,
      notFound,
      nameTaken,
      conflict,
      directNotOffered,
      preconditionFailed,
    ],
    handle: async ({ params, request, reply }) => {
      const upload = await completeParts(deps, { ...storageRequestOf(request), uploadId: params.upload });
      reply.code(upload.state === 'completed' ? 200 : 202).header('cache-control', 'no-store');
      return reply.send(presentUpload(upload));
    },
  });
}

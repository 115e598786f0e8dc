import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  internal,
  invalidCursor,
  notFound,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { contentResponses, rangeNotSatisfiable, sendContent } from '../../foundation/http/send-content.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import { EntryParams, FileSchema, inspectedProperties, presentEntry } from '../folders/entry-schema.ts';
import { entityTagOf } from '../folders/entry.ts';
import { organizationKeyOf } from '../projects/change-projects.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { organizationProperty } from '../projects/project-routes.ts';
import { downloadHeaders } from '../request-headers.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { directNotOffered } from '../storage-problems.ts';
import { attachment, attachmentHeaders, inlineHeaders } from './attachment.ts';
import {
  listVersions,
  readContent,
  readOrganizationUsage,
  readPreview,
  signContentAddress,
} from './read-files.ts';
import { scanProblems } from './require-readable.ts';
import { deleteVersion, restoreVersion } from './reuse-content.ts';
import type { Version } from './version-store.ts';

const tag = 'files';

const VersionSchema = titledObject('Version', {
  id: Type.String({ format: 'uuid' }),
  version: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  mediaType: Type.String(),
  ...inspectedProperties,
  etag: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
});

const UsageSchema = titledObject('Usage', {
  usedBytes: Type.Integer({ minimum: 0, description: 'Files, versions and trash.' }),
  reservedBytes: Type.Integer({ minimum: 0, description: 'Open uploads.' }),
  quotaBytes: Type.Integer({ minimum: 0 }),
});

export function fileRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    contentRoute(deps),
    contentAddressRoute(deps),
    versionsRoute(deps),
    restoreRoute(deps),
    deleteVersionRoute(deps),
    usageRoute(deps),
  ];
}

/** A kilobyte a minute is slower than any connection; a paused player continues with a range request. */
export const contentStream = { bodyBytesMax: 0, progress: { bytes: 1_024, withinMs: 60_000 } };

export const contentProblems = [rangeNotSatisfiable, notFound, ...scanProblems, internal];
/** With a choice of the version, which requires a permission of its own. */
const versionedProblems = [...contentProblems, forbidden];

function contentRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/files/{id}/content',
    surface: deps.surface,
    operationId: 'readContent',
    tag,
    summary: 'Download a file or one of its versions.',
    description:
      'Supports `Range`, `If-Range` and `If-None-Match`. Requests with multiple ranges return the whole content.',
    params: EntryParams,
    query: closedObject({
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the current version.' })),
    }),
    requestHeaders: downloadHeaders,
    stream: contentStream,
    responses: contentResponses,
    problems: versionedProblems,
    handle: async ({ params, query, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, version: query.version ?? null };
      return sendFile(deps, asked, request, reply);
    },
  });
}

export async function sendFile(
  deps: StorageDeps,
  asked: Parameters<typeof readContent>[1],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const content = await readContent(deps, asked);
  reply.headers(attachmentHeaders(content.name));
  return sendContent(request, reply, content);
}

/** Content that `previewOf` allows browsers to render. */
export async function sendPreview(
  deps: StorageDeps,
  asked: Parameters<typeof readPreview>[1],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const content = await readPreview(deps, asked);
  const embeddedBy = deps.settings.previewUrl === null ? 'same-origin' : 'cross-origin';
  reply.headers(inlineHeaders(content.name, embeddedBy));
  return sendContent(request, reply, content);
}

function contentAddressRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/files/{id}/content-address',
    surface: deps.surface,
    operationId: 'createContentAddress',
    tag,
    summary:
      'Create a pre-signed URL that downloads the file directly from the bucket, valid for one minute.',
    description:
      'Request the URL without your token or key. It supports `Range`. Returns 409 if clients cannot access the bucket, or if the content is not scanned yet or infected.',
    params: EntryParams,
    body: titledObject('ContentAddressRequest', {
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the current version.' })),
    }),
    responses: {
      200: {
        description: 'A URL for a GET request.',
        schema: titledObject('ContentAddress', {
          url: Type.String({ format: 'uri' }),
          expiresAt: Type.String({ format: 'date-time' }),
        }),
      },
    },
    problems: [forbidden, notFound, directNotOffered, ...scanProblems],
    handle: async ({ params, body, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, version: body.version ?? null };
      const { url, expiresAt } = await signContentAddress(deps, asked, attachment);
      return reply.header('cache-control', 'no-store').send({ url, expiresAt: isoMicroseconds(expiresAt) });
    },
  });
}

function versionsRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/files/{id}/versions',
    surface: deps.surface,
    operationId: 'listVersions',
    tag,
    summary: 'List the versions of a file: the latest 20, earlier ones for 90 days.',
    params: EntryParams,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: pageSchema(VersionSchema, 'Versions') } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ params, query: page, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, page };
      return reply.header('cache-control', 'no-store').send(await listVersions(deps, asked, presentVersion));
    },
  });
}

function presentVersion(content: Version) {
  const { id, version, size, mediaType, detectedMediaType, scanState, sha256, createdAt } = content;
  return {
    id,
    version,
    size,
    mediaType,
    detectedMediaType,
    scanState,
    sha256: sha256?.toString('hex') ?? null,
    etag: entityTagOf(content),
    createdAt: isoMicroseconds(createdAt),
  };
}

const VersionParams = Type.Object({ ...EntryParams.properties, version: Type.Integer({ minimum: 1 }) });

function restoreRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/files/{id}/versions/{version}/restore',
    surface: deps.surface,
    operationId: 'restoreVersion',
    tag,
    summary: 'Restore an earlier version as the next version. Uses no additional storage.',
    params: VersionParams,
    responses: { 200: { description: 'The updated resource.', schema: FileSchema } },
    problems: [forbidden, notFound, ...scanProblems],
    handle: async ({ params, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, version: params.version };
      return reply.header('cache-control', 'no-store').send(presentEntry(await restoreVersion(deps, asked)));
    },
  });
}

function deleteVersionRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: '/api/v1/files/{id}/versions/{version}',
    surface: deps.surface,
    operationId: 'deleteVersion',
    tag,
    summary: 'Permanently delete an earlier version of a file.',
    description:
      'Requires `Daybook.Storage/Versions/purge` on the file. Returns 409 for the current version.',
    params: VersionParams,
    responses: { 204: { description: 'Cannot be undone.' } },
    problems: [forbidden, notFound, conflict],
    handle: async ({ params, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, version: params.version };
      await deleteVersion(deps, asked);
      return reply.code(204).send();
    },
  });
}

function usageRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/usage',
    surface: deps.surface,
    operationId: 'readUsage',
    tag: 'usage',
    summary: 'Get the storage usage and quota of an organization.',
    query: closedObject({ organization: organizationProperty }),
    responses: { 200: { description: 'In bytes.', schema: UsageSchema } },
    problems: [forbidden, notFound],
    handle: async ({ query, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = query.organization ?? organizationKeyOf(account);
      const asked = { ...storageRequestOf(request), organizationKey };
      return reply.header('cache-control', 'no-store').send(await readOrganizationUsage(deps, asked));
    },
  });
}

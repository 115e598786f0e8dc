import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { forbidden, internal, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { contentResponses, rangeNotSatisfiable, sendContent } from '../../foundation/http/send-content.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import {
  EntryChangeSchema,
  EntryParams,
  FileSchema,
  RestoreSchema,
  inspectedProperties,
  presentEntry,
} from '../folders/entry-schema.ts';
import { entityTagOf } from '../folders/entry.ts';
import { organizationKeyOf } from '../projects/change-projects.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { organizationProperty } from '../projects/project-routes.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { directNotOffered, nameTaken } from '../storage-problems.ts';
import { attachment, attachmentHeaders, inlineHeaders } from './attachment.ts';
import {
  listVersions,
  readContent,
  readOrganizationUsage,
  readPreview,
  signContentAddress,
} from './read-files.ts';
import { scanProblems } from './require-readable.ts';
import { copyFile, restoreVersion } from './reuse-content.ts';
import type { Version } from './version-store.ts';

const tag = 'files';

const VersionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    version: Type.Integer({ minimum: 1 }),
    size: Type.Integer({ minimum: 0 }),
    mediaType: Type.String(),
    ...inspectedProperties,
    etag: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Version', additionalProperties: false },
);

const UsageSchema = Type.Object(
  {
    usedBytes: Type.Integer({ minimum: 0, description: 'Files, their versions and what is in the trash.' }),
    reservedBytes: Type.Integer({ minimum: 0, description: 'Uploads under way.' }),
    quotaBytes: Type.Integer({ minimum: 0 }),
  },
  { title: 'Usage', additionalProperties: false },
);

export function fileRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    contentRoute(deps),
    contentAddressRoute(deps),
    versionsRoute(deps),
    restoreRoute(deps),
    copyRoute(deps),
    usageRoute(deps),
  ];
}

/** A kilobyte a minute is slower than any line; a player that pauses asks again with a range. */
export const contentStream = { bodyBytesMax: 0, progress: { bytes: 1_024, withinMs: 60_000 } };

export const contentProblems = [rangeNotSatisfiable, notFound, ...scanProblems, internal];

function contentRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/files/{id}/content',
    surface: deps.surface,
    operationId: 'readContent',
    tag,
    summary: 'The bytes of a file, or of one of its versions.',
    description:
      'Takes `Range`, `If-Range` and `If-None-Match`. Several ranges at once are answered with the whole.',
    params: EntryParams,
    query: Type.Object(
      { version: Type.Optional(Type.Integer({ minimum: 1, description: 'Absent: the current one.' })) },
      { additionalProperties: false },
    ),
    stream: contentStream,
    responses: contentResponses,
    problems: contentProblems,
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

/** What `previewOf` lets a browser show. */
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
    summary: 'An address at the bucket itself that gives the bytes for a minute, to whoever has it.',
    description:
      'Ask it without your token or key. It takes `Range`. 409 where the bucket cannot be reached, and for content that a scanner has yet to look into or found infected.',
    params: EntryParams,
    body: Type.Object(
      { version: Type.Optional(Type.Integer({ minimum: 1, description: 'Absent: the current one.' })) },
      { title: 'ContentAddressRequest', additionalProperties: false },
    ),
    responses: {
      200: {
        description: 'For GET.',
        schema: Type.Object(
          { url: Type.String({ format: 'uri' }), expiresAt: Type.String({ format: 'date-time' }) },
          { title: 'ContentAddress', additionalProperties: false },
        ),
      },
    },
    problems: [notFound, directNotOffered, ...scanProblems, internal],
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
    summary:
      'The contents that a file has and had: the last 20, and none older than 90 days but the current.',
    params: EntryParams,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: pageSchema(VersionSchema, 'Versions') } },
    problems: [invalidCursor, notFound, internal],
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

function restoreRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/files/{id}/versions/{version}/restore',
    surface: deps.surface,
    operationId: 'restoreVersion',
    tag,
    summary: 'Gives a file an earlier content again, as its next version. No room is taken.',
    params: Type.Object({ ...EntryParams.properties, version: Type.Integer({ minimum: 1 }) }),
    responses: { 200: { description: 'As it is now.', schema: FileSchema } },
    problems: [forbidden, notFound, ...scanProblems, internal],
    handle: async ({ params, request, reply }) => {
      const asked = { ...storageRequestOf(request), fileId: params.id, version: params.version };
      return reply.header('cache-control', 'no-store').send(presentEntry(await restoreVersion(deps, asked)));
    },
  });
}

function copyRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/files/{id}/copy',
    surface: deps.surface,
    operationId: 'copyFile',
    tag,
    summary: 'Makes another file with the same bytes, within the project. No room is taken.',
    params: EntryParams,
    body: Type.Object(
      { ...EntryChangeSchema.properties, ...RestoreSchema.properties },
      { title: 'FileCopy', additionalProperties: false },
    ),
    responses: { 201: { description: 'The copy.', schema: FileSchema } },
    problems: [forbidden, notFound, nameTaken, ...scanProblems, internal],
    handle: async ({ params, body: { name, parentId, ifTaken = 'refuse' }, request, reply }) => {
      const copy = await copyFile(deps, {
        ...storageRequestOf(request),
        fileId: params.id,
        ...(name !== undefined && { name }),
        ...(parentId !== undefined && { parentId }),
        ifTaken,
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentEntry(copy));
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
    summary: 'How much an organization keeps, and how much it may.',
    query: Type.Object({ organization: organizationProperty }, { additionalProperties: false }),
    responses: { 200: { description: 'In bytes.', schema: UsageSchema } },
    problems: [forbidden, notFound, internal],
    handle: async ({ query, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = query.organization ?? organizationKeyOf(account);
      const asked = { ...storageRequestOf(request), organizationKey };
      return reply.header('cache-control', 'no-store').send(await readOrganizationUsage(deps, asked));
    },
  });
}

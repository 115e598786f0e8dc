import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { conflict, notFound, rateLimited } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { contentResponses } from '../../foundation/http/send-content.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { credentials } from '../../identity/index.ts';
import { archiveProblems, archiveResponses, sendArchive } from '../files/archive-routes.ts';
import { contentProblems, contentStream, sendFile } from '../files/file-routes.ts';
import { inspectedProperties } from '../folders/entry-schema.ts';
import { downloadHeaders } from '../request-headers.ts';
import type { EntryKind } from '../storage-actions.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { linkPasswordRequired, wrongLinkPassword } from '../storage-problems.ts';
import type { Link } from './link.ts';
import type { LinkSecrets } from './open-links.ts';
import { authorizeLink, describeLink, enterLinkPassword } from './open-links.ts';
import { noteOpening } from './read-links.ts';

const tag = 'links';
const SecretParams = Type.Object({ secret: Type.String({ maxLength: 100 }) });
const TicketQuery = closedObject({
  ticket: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'From `POST /api/v1/shared/{secret}/ticket`, if the link has a password.',
    }),
  ),
});
const endOf = { file: 'content', folder: 'archive' } as const;

/** The path of a link's target, below the base URL. */
export function sharedPath(kind: EntryKind, secret: string): string {
  return `/api/v1/shared/${secret}/${endOf[kind]}`;
}

/** The path of a link's page for people. */
export function sharedPagePath(secret: string): string {
  return `/shared/${secret}`;
}

const SharedLinkSchema = titledObject('SharedLink', {
  kind: Type.Enum(['folder', 'file']),
  name: Type.String(),
  size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Bytes of the download; null if a folder is too large for an archive.',
  }),
  scanState: Type.Union([inspectedProperties.scanState, Type.Null()], {
    description: 'Scan state of a file; null for a folder.',
  }),
  sharedBy: Type.String({ description: 'A username.' }),
  expiresAt: Type.String({ format: 'date-time' }),
  hasPassword: Type.Boolean(),
});

/** For everyone with a secret, under the limits of anonymous requests; other origins cannot read responses. */
export function sharedRoutes(deps: StorageDeps, anonymous: Surface): readonly RouteDeclaration[] {
  const surface: Surface = { ...anonymous, name: 'links', cors: null };
  return [
    detailsRoute(deps, surface),
    ticketRoute(deps, surface),
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
      query: TicketQuery,
      requestHeaders: downloadHeaders,
      stream: contentStream,
      responses: contentResponses,
      problems: [linkPasswordRequired, ...contentProblems],
      handle: async ({ params, query, request, reply }) => {
        const { link, asked } = await openLink(deps, { ...params, ...query }, 'file', request);
        reply.headers(unlisted);
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
      query: TicketQuery,
      stream: contentStream,
      responses: archiveResponses,
      problems: [linkPasswordRequired, ...archiveProblems],
      handle: async ({ params, query, request, reply }) => {
        const { link, asked } = await openLink(deps, { ...params, ...query }, 'folder', request);
        reply.headers(unlisted);
        return sendArchive(deps, { ...asked, place: { folderId: link.entryId } }, request, reply);
      },
    }),
  ];
}

/** For search engines that find a link somewhere. */
export const unlisted = { 'x-robots-tag': 'noindex' } as const;
const uncached = { 'cache-control': 'no-store', ...unlisted };

function detailsRoute(deps: StorageDeps, surface: Surface): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/shared/{secret}',
    surface,
    operationId: 'describeSharedLink',
    tag,
    summary: 'Get the name and size of the shared content, the sender and the expiry of a link.',
    description:
      'Does not count as a download. If the link has a password, a request without a ticket returns 401 `link_password_required`.',
    params: SecretParams,
    query: TicketQuery,
    responses: { 200: { description: 'The shared content.', schema: SharedLinkSchema } },
    problems: [linkPasswordRequired, notFound],
    handle: async ({ params, query, request, reply }) => {
      const asked = { ...params, ...query, client: credentials.clientOf(request) };
      const { link, name, size, scanState } = await describeLink(deps, asked);
      return reply.headers(uncached).send({
        kind: link.kind,
        name,
        size,
        scanState,
        sharedBy: link.maker.username,
        expiresAt: isoMicroseconds(link.expiresAt),
        hasPassword: link.passwordHash !== null,
      });
    },
  });
}

function ticketRoute(deps: StorageDeps, surface: Surface): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/shared/{secret}/ticket',
    surface,
    operationId: 'enterLinkPassword',
    tag,
    summary: 'Get a ticket for a link with a password.',
    description:
      'The ticket is valid for 12 hours, and ends with the link. A link accepts 20 attempts in 15 minutes; further attempts return 429.',
    params: SecretParams,
    body: titledObject('LinkPassword', { password: Type.String({ minLength: 1, maxLength: 1_024 }) }),
    responses: {
      200: {
        description: 'The password is correct.',
        schema: titledObject('LinkTicket', {
          ticket: Type.String(),
          expiresAt: Type.String({ format: 'date-time' }),
        }),
      },
    },
    problems: [wrongLinkPassword, notFound, conflict, rateLimited],
    handle: async ({ params, body, reply }) => {
      const { ticket, expiresAt } = await enterLinkPassword(deps, { ...params, ...body });
      return reply.headers(uncached).send({ ticket, expiresAt: isoMicroseconds(expiresAt) });
    },
  });
}

async function openLink(
  deps: StorageDeps,
  secrets: LinkSecrets,
  kind: EntryKind,
  request: FastifyRequest,
): Promise<{ readonly link: Link; readonly asked: StorageRequest }> {
  const { link, caller } = await authorizeLink(deps, { ...secrets, kind });
  if (isOpening(request)) await noteOpening(deps, link);
  return { link, asked: { caller, client: credentials.clientOf(request) } };
}

/** Later ranges of a player and HEAD requests do not count as openings. */
function isOpening({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/^bytes=(?!0-)/.test(headers.range ?? '');
}

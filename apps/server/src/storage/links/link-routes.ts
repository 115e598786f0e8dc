import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { EntryParams, titleOf } from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import type { EntryKind } from '../storage-actions.ts';
import { collectionOf } from '../storage-actions.ts';
import { linkPasswordCharsMin, storageRequestOf } from '../storage-deps.ts';
import { createLink, revokeLink } from './change-links.ts';
import type { Link } from './link.ts';
import { listLinks, listProjectLinks } from './read-links.ts';
import { sharedPagePath, sharedPath } from './shared-routes.ts';

const tag = 'links';
const instant = { format: 'date-time' };
const LinkProperties = {
  id: Type.String({ format: 'uuid' }),
  projectId: Type.String({ format: 'uuid' }),
  entryId: Type.String({ format: 'uuid', description: 'The file or folder.' }),
  kind: Type.Enum(['folder', 'file']),
  name: Type.String({ description: 'Name of the file or folder.' }),
  createdBy: Type.String({ description: 'A username.' }),
  createdAt: Type.String(instant),
  expiresAt: Type.String(instant),
  hasPassword: Type.Boolean({ description: 'Whether the link is protected by a password.' }),
  openedCount: Type.Integer({ minimum: 0 }),
  lastOpenedAt: Type.Union([Type.String(instant), Type.Null()]),
};
const LinkSchema = titledObject('Link', LinkProperties);
const NewLinkSchema = titledObject('CreatedLink', {
  ...LinkProperties,
  url: Type.String({
    format: 'uri',
    description: 'URL of the content. Returned only once; only a hash of its secret is stored.',
  }),
  pageUrl: Type.String({
    format: 'uri',
    description: 'URL of a page for people, with name, size and a button to download. Returned only once.',
  }),
});
const linkPage = {
  query: UnfilteredPageQuery,
  responses: { 200: { description: 'A page.', schema: pageSchema(LinkSchema, 'Links') } },
  problems: [invalidCursor, forbidden, notFound],
};

function presentLink(link: Link) {
  const { id, projectId, entryId, kind, name, maker, createdAt, expiresAt } = link;
  const { passwordHash, openedCount, lastOpenedAt } = link;
  return {
    id,
    projectId,
    entryId,
    kind,
    name,
    createdBy: maker.username,
    createdAt: isoMicroseconds(createdAt),
    expiresAt: isoMicroseconds(expiresAt),
    hasPassword: passwordHash !== null,
    openedCount,
    lastOpenedAt: lastOpenedAt === null ? null : isoMicroseconds(lastOpenedAt),
  };
}

export function linkRoutes(deps: StorageRoutesDeps, baseUrl: string): readonly RouteDeclaration[] {
  return [
    createRoute(deps, 'file', baseUrl),
    listRoute(deps, 'file'),
    createRoute(deps, 'folder', baseUrl),
    listRoute(deps, 'folder'),
    projectRoute(deps),
    revokeRoute(deps),
  ];
}

function createRoute(deps: StorageRoutesDeps, kind: EntryKind, baseUrl: string): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `/api/v1/${collectionOf[kind]}/{id}/links`,
    surface: deps.surface,
    operationId: `create${titleOf[kind]}Link`,
    tag,
    summary: `Create a temporary link to a ${kind}.`,
    description:
      'The link includes what you can read at the time of the request. It stops working when you can no longer read or share the resource, when it is revoked, or, if created with an API key, when that key is revoked.',
    params: EntryParams,
    body: titledObject('NewLink', {
      expiresAt: Type.Optional(
        Type.String({
          ...instant,
          maxLength: 40,
          description: 'At most 90 days ahead. Default: in 7 days.',
        }),
      ),
      password: Type.Optional(
        Type.String({
          minLength: linkPasswordCharsMin,
          maxLength: 200,
          description: 'Required to open the link. It cannot be changed: revoke the link and create another.',
        }),
      ),
    }),
    responses: { 201: { description: 'Created.', schema: NewLinkSchema } },
    problems: [forbidden, notFound, conflict],
    handle: async ({ params, body: { expiresAt, password }, request, reply }) => {
      const { link, secret } = await createLink(deps, {
        ...storageRequestOf(request),
        entry: { id: params.id, kind },
        ...(expiresAt !== undefined && { expiresAt }),
        ...(password !== undefined && { password }),
      });
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          ...presentLink(link),
          url: baseUrl + sharedPath(kind, secret),
          pageUrl: baseUrl + sharedPagePath(secret),
        });
    },
  });
}

function listRoute(deps: StorageRoutesDeps, kind: EntryKind): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `/api/v1/${collectionOf[kind]}/{id}/links`,
    surface: deps.surface,
    operationId: `list${titleOf[kind]}Links`,
    tag,
    summary: `List the active links to a ${kind}.`,
    params: EntryParams,
    ...linkPage,
    handle: async ({ params, query: page, request, reply }) => {
      const asked = { ...storageRequestOf(request), entry: { id: params.id, kind }, page };
      return reply.header('cache-control', 'no-store').send(await listLinks(deps, asked, presentLink));
    },
  });
}

function projectRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects/{project}/links',
    surface: deps.surface,
    operationId: 'listProjectLinks',
    tag,
    summary: 'List the active links in a project. Requires permission to list all its links.',
    params: ProjectParams,
    ...linkPage,
    handle: async ({ params, query: page, request, reply }) => {
      const asked = { ...storageRequestOf(request), projectId: params.project, page };
      return reply.header('cache-control', 'no-store').send(await listProjectLinks(deps, asked, presentLink));
    },
  });
}

function revokeRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: '/api/v1/links/{link}',
    surface: deps.surface,
    operationId: 'revokeLink',
    tag,
    summary: 'Revoke a link. It returns 404 afterwards.',
    params: Type.Object({
      link: Type.String({ maxLength: 64, description: 'The id of the link, not its secret.' }),
    }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      await revokeLink(deps, { ...storageRequestOf(request), linkId: params.link });
      return reply.code(204).send();
    },
  });
}

import { Type } from 'typebox';

import { changes, shares } from '../../access/index.ts';
import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import {
  conflict,
  forbidden,
  invalidCursor,
  notFound,
  rateLimited,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import {
  pageQueryProperties,
  pageSchema,
  UnfilteredPageQuery,
} from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import { EntryParams, titleOf as entryTitleOf } from '../folders/entry-schema.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams } from '../projects/project-routes.ts';
import { collectionOf } from '../storage-actions.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { createShare, endShare } from './change-shares.ts';
import { listOwnShares, listShares } from './read-shares.ts';
import type { ShareTarget } from './share-target.ts';
import { sharesHistory, targetOfResource } from './share-target.ts';

const tag = 'shares';
const kinds = ['project', 'folder', 'file'] as const;

const ShareSchema = titledObject('Share', {
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum([...kinds]),
  projectId: Type.String({ format: 'uuid' }),
  entryId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The folder or file; null for the project.',
  }),
  level: Type.Enum([...shares.shareLevels]),
  history: Type.Boolean({ description: 'Whether earlier versions can be read.' }),
  member: Type.Optional(Type.String({ description: 'A username.' })),
  group: Type.Optional(closedObject({ id: Type.Integer(), name: Type.String() })),
  email: Type.Optional(
    Type.String({ description: 'E-mail address of an invited guest who has not joined yet.' }),
  ),
  createdBy: Type.String({ description: 'A username.' }),
  createdAt: Type.String({ format: 'date-time' }),
});
const SharePageSchema = pageSchema(ShareSchema, 'Shares');

function presentShare(share: shares.Share) {
  const { id, resource, level, subject, maker, createdAt } = share;
  const thing = targetOfResource(resource) ?? { kind: 'project', projectId: '', id: '' };
  return {
    id,
    kind: thing.kind,
    projectId: thing.projectId,
    entryId: thing.kind === 'project' ? null : thing.id,
    level,
    history: sharesHistory(share),
    ...(subject.kind === 'member' && { member: subject.username }),
    ...(subject.kind === 'group' && { group: { id: subject.id, name: subject.name } }),
    ...(subject.kind === 'invited' && { email: subject.email }),
    createdBy: maker.username,
    createdAt: isoMicroseconds(createdAt),
  };
}

export function shareRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [
    ...kinds.flatMap((kind) => [createRoute(deps, kind), listRoute(deps, kind)]),
    ownRoute(deps),
    endRoute(deps),
  ];
}

const titleOf = { project: 'Project', ...entryTitleOf } as const;

/** The parameter of a project has the same name as in its other paths. */
function addressOf(kind: ShareTarget['kind']) {
  return kind === 'project'
    ? {
        path: '/api/v1/projects/{project}/shares',
        params: ProjectParams,
        idOf: (params: unknown) => (params as { project: string }).project,
      }
    : {
        path: `/api/v1/${collectionOf[kind]}/{id}/shares`,
        params: EntryParams,
        idOf: (params: unknown) => (params as { id: string }).id,
      };
}

function createRoute(deps: StorageRoutesDeps, kind: ShareTarget['kind']): RouteDeclaration {
  const { path, params: Params, idOf } = addressOf(kind);
  const below = kind === 'file' ? '' : ' and its contents';
  return defineRoute({
    method: 'POST',
    path,
    surface: deps.surface,
    operationId: `share${titleOf[kind]}`,
    tag,
    summary: `Share a ${kind}${below} with a member, a group or an invited guest.`,
    description:
      'You cannot grant more access than you have (403 `permission_escalation`). Sharing again with the same recipient changes the level.',
    params: Params,
    body: titledObject('NewShare', {
      level: Type.Enum([...shares.shareLevels], {
        description: '`write`: read, create, change and delete. `manage`: also share and create links.',
      }),
      history: Type.Optional(
        Type.Boolean({ default: false, description: 'Also share earlier versions of files.' }),
      ),
      member: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'A username.' })),
      group: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'The id of a group.' }),
      ),
      email: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 320,
          description:
            'E-mail address of a non-member, who is invited as a guest if you can invite members. Access starts when they join, if you still have it.',
        }),
      ),
    }),
    responses: { 201: { description: 'Shared.', schema: ShareSchema } },
    problems: [forbidden, changes.permissionEscalation, notFound, conflict, rateLimited],
    handle: async ({ params, body: { level, history = false, member, group, email }, request, reply }) => {
      const share = await createShare(deps, {
        ...storageRequestOf(request),
        thing: { kind, id: idOf(params) },
        to: {
          ...(member !== undefined && { member }),
          ...(group !== undefined && { group }),
          ...(email !== undefined && { email }),
        },
        level,
        history,
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentShare(share));
    },
  });
}

function listRoute(deps: StorageRoutesDeps, kind: ShareTarget['kind']): RouteDeclaration {
  const { path, params: Params, idOf } = addressOf(kind);
  return defineRoute({
    method: 'GET',
    path,
    surface: deps.surface,
    operationId: `list${titleOf[kind]}Shares`,
    tag,
    summary: `List the shares of a ${kind}.`,
    params: Params,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: SharePageSchema } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ params, query: page, request, reply }) => {
      const asked = { ...storageRequestOf(request), thing: { kind, id: idOf(params) }, page };
      return reply.header('cache-control', 'no-store').send(await listShares(deps, asked, presentShare));
    },
  });
}

function ownRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/shares',
    surface: deps.surface,
    operationId: 'listOwnShares',
    tag,
    summary: 'List resources shared with you or your groups.',
    description: 'Includes all your organizations, or only the given one.',
    query: closedObject({
      ...pageQueryProperties,
      organization: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'The key of one of your organizations.' }),
      ),
    }),
    responses: { 200: { description: 'A page.', schema: SharePageSchema } },
    problems: [invalidCursor, notFound],
    handle: async ({ query: { organization, ...page }, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKeys = account.memberships.map((one) => one.organizationKey);
      const where = organization === undefined ? { organizationKeys } : { organizationKey: organization };
      const asked = { ...storageRequestOf(request), ...where, page };
      return reply.header('cache-control', 'no-store').send(await listOwnShares(deps, asked, presentShare));
    },
  });
}

function endRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: '/api/v1/shares/{share}',
    surface: deps.surface,
    operationId: 'endShare',
    tag,
    summary: 'Delete a share. Access ends within a second.',
    params: Type.Object({ share: Type.String({ maxLength: 64 }) }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      await endShare(deps, { ...storageRequestOf(request), shareId: params.share });
      return reply.code(204).send();
    },
  });
}

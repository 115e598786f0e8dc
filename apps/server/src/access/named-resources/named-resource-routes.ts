import type { FastifyReply } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { Type } from 'typebox';

import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { permissionEscalation } from '../access-problems.ts';
import type { ChangeRequest } from '../changes/change-organization.ts';
import type { Caller } from '../credentials/caller.ts';
import { callerOf } from '../credentials/caller.ts';
import { changeRequestOf } from '../platform-routes-deps.ts';
import type { PlatformKey } from '../platform-schema.ts';
import { NamedPageQuery, PlatformQuery, ResourceNumber } from '../platform-schema.ts';

/** The description of a route, and its use case, which returns the response body. */
interface Operation<Args extends readonly unknown[]> {
  readonly operationId: string;
  readonly summary: string;
  readonly run: (...args: Args) => Promise<unknown>;
}

type NewSchema = TObject<{ platform_key: typeof PlatformKey }>;
type NumberedRequest = ChangeRequest & { readonly id: number };

export interface NamedRoutes<New extends NewSchema, Edit extends TObject> {
  readonly surface: Surface;
  readonly noun: 'policy' | 'group';
  readonly collection: 'policies' | 'groups';
  readonly bodyBytesMax: number;
  readonly page: TSchema;
  readonly one: TSchema;
  readonly list: Operation<[Caller, Static<typeof NamedPageQuery>]>;
  readonly create: Operation<[ChangeRequest, Static<New>]> & {
    readonly body: New;
    readonly problems: readonly ProblemDefinition[];
  };
  readonly read: Operation<[Caller, { readonly platformKey: string; readonly id: number }]>;
  readonly change: Operation<[NumberedRequest, Static<Edit>]> & {
    readonly body: Edit;
    readonly description: string;
  };
  readonly remove: Operation<[NumberedRequest]>;
}

/** List, create, read, change and delete of the policies or the groups of an organization. */
export function namedResourceRoutes<New extends NewSchema, Edit extends TObject>(
  routes: NamedRoutes<New, Edit>,
): readonly RouteDeclaration[] {
  const { surface, noun, collection: tag, page, one, list, create, read } = routes;
  const all = { path: `/dm/api/core/rbac/${tag}/`, surface, tag };
  const item = itemOf(routes, all.path);
  return [
    defineRoute({
      method: 'GET',
      ...all,
      ...textOf(list),
      query: NamedPageQuery,
      responses: { 200: { description: 'A page.', schema: page } },
      problems: [invalidCursor, forbidden, notFound],
      handle: async ({ query, request, reply }) => send(reply, 200, await list.run(callerOf(request), query)),
    }),
    defineRoute({
      method: 'POST',
      ...all,
      ...textOf(create),
      body: create.body,
      bodyBytesMax: routes.bodyBytesMax,
      responses: { 201: { description: 'Created.', schema: one } },
      problems: create.problems,
      handle: async ({ body, request, reply }) => {
        const { platform_key: platformKey } = body as Static<NewSchema>;
        return send(reply, 201, await create.run(changeRequestOf(request, platformKey), body as Static<New>));
      },
    }),
    defineRoute({
      method: 'GET',
      ...item.frame,
      ...textOf(read),
      responses: { 200: { description: `The ${noun}.`, schema: one } },
      problems: [notFound],
      handle: async ({ params, query, request, reply }) => {
        const asked = { platformKey: query.platform_key, id: item.idOf(params) };
        return send(reply, 200, await read.run(callerOf(request), asked));
      },
    }),
    ...changingRoutes(routes, item),
  ];
}

function changingRoutes<New extends NewSchema, Edit extends TObject>(
  { change, remove, one, bodyBytesMax }: NamedRoutes<New, Edit>,
  { frame, idOf }: ReturnType<typeof itemOf>,
): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'PATCH',
      ...frame,
      ...textOf(change),
      description: change.description,
      body: change.body,
      bodyBytesMax,
      responses: { 200: { description: 'The updated resource.', schema: one } },
      problems: [forbidden, permissionEscalation, notFound, conflict],
      handle: async ({ params, query, body, request, reply }) => {
        const asked = { ...changeRequestOf(request, query.platform_key), id: idOf(params) };
        return send(reply, 200, await change.run(asked, body as Static<Edit>));
      },
    }),
    defineRoute({
      method: 'DELETE',
      ...frame,
      ...textOf(remove),
      responses: { 204: { description: 'Removed.' } },
      problems: [forbidden, notFound, conflict],
      handle: async ({ params, query, request, reply }) =>
        send(
          reply,
          204,
          await remove.run({ ...changeRequestOf(request, query.platform_key), id: idOf(params) }),
        ),
    }),
  ];
}

function itemOf(
  {
    surface,
    noun,
    collection: tag,
  }: Pick<NamedRoutes<NewSchema, TObject>, 'surface' | 'noun' | 'collection'>,
  path: string,
) {
  const key = `${noun}_id`;
  const params = Type.Object({ [key]: ResourceNumber });
  return {
    frame: { path: `${path}{${key}}`, surface, tag, params, query: PlatformQuery },
    idOf: (sent: Static<typeof params>): number => Number(sent[key]),
  };
}

function textOf({ operationId, summary }: Pick<Operation<[]>, 'operationId' | 'summary'>) {
  return { operationId, summary };
}

function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body);
}

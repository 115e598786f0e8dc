import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { callerOf } from '../credentials/caller.ts';
import type { ReadDeps } from '../platform-routes-deps.ts';
import { Instant, PlatformPageQuery } from '../platform-schema.ts';
import { listAuditEvents } from './read-audit-events.ts';

const day = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
const AuditQuery = closedObject({
  ...PlatformPageQuery.properties,
  kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Event kind.' })),
  username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Username of the actor.' }),
  ),
  from: Type.Optional(Type.String({ ...day, description: 'From the start of this day, in UTC.' })),
  to: Type.Optional(Type.String({ ...day, description: 'Until the end of this day, in UTC.' })),
});

const AuditEventSchema = titledObject('AuditEvent', {
  id: Type.String({ format: 'uuid' }),
  createdAt: Instant,
  kind: Type.String({ description: 'Event kind, such as `policy_updated`.' }),
  username: Type.Union([Type.String(), Type.Null()], { description: 'Username of the actor.' }),
  address: Type.Union([Type.String(), Type.Null()], { description: 'IP address of the request.' }),
  user_agent: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Object(
    {},
    { additionalProperties: true, description: 'Ids and reasons; `viaTokenId` if a token was used.' },
  ),
});

export function auditEventRoutes(
  deps: ReadDeps & { readonly surface: Surface },
): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dm/api/core/platform/audit-events/',
      surface: deps.surface,
      operationId: 'listAuditEvents',
      tag: 'audit',
      summary: 'List audit events.',
      query: AuditQuery,
      responses: { 200: { description: 'A page.', schema: pageSchema(AuditEventSchema, 'AuditEvents') } },
      problems: [invalidCursor, forbidden, notFound],
      handle: async ({ query, request, reply }) =>
        reply.header('cache-control', 'no-store').send(await listAuditEvents(deps, callerOf(request), query)),
    }),
  ];
}

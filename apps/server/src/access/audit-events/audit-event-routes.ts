import { Type } from 'typebox';
import type { Static } from 'typebox';

import type { AuditEventId, AuditRecord } from '../../audit/index.ts';
import { listOrganizationEvents } from '../../audit/index.ts';
import { forbidden, internal, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { Page } from '../../foundation/pagination/page-envelope.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { organizations } from '../../identity/index.ts';
import type { Caller } from '../callers/caller.ts';
import { callerOf } from '../callers/caller.ts';
import { enterOrganization } from '../callers/enter-organization.ts';
import { requirePermission } from '../callers/require-permission.ts';
import { readAuditEvents } from '../permissions/core-actions.ts';
import { resourceOf } from '../permissions/resource.ts';
import { Instant, PlatformPageQuery } from '../platform-schema.ts';
import type { ReadDeps } from '../policies/read-policies.ts';

const AuditEventSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    createdAt: Instant,
    kind: Type.String({ description: 'What happened, such as `policy_updated`.' }),
    username: Type.Union([Type.String(), Type.Null()], { description: 'Who did it.' }),
    address: Type.Union([Type.String(), Type.Null()], { description: 'The address it came from.' }),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    detail: Type.Object(
      {},
      { additionalProperties: true, description: 'Ids and reasons; `viaTokenId` where a token did it.' },
    ),
  },
  { title: 'AuditEvent', additionalProperties: false },
);

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
      summary: 'What happened in an organization, and who did it.',
      query: PlatformPageQuery,
      responses: { 200: { description: 'A page.', schema: pageSchema(AuditEventSchema, 'AuditEvents') } },
      problems: [invalidCursor, forbidden, notFound, internal],
      handle: async ({ query, request, reply }) =>
        reply.header('cache-control', 'no-store').send(await listAuditEvents(deps, callerOf(request), query)),
    }),
  ];
}

async function listAuditEvents(
  deps: ReadDeps,
  caller: Caller,
  query: PageQuery & { readonly platform_key: string },
): Promise<Page<Static<typeof AuditEventSchema>>> {
  const { authority, organization } = await enterOrganization(deps, caller, query.platform_key);
  requirePermission({ authority }, readAuditEvents, resourceOf(organization.key, 'audit-events'));
  const request = readPageRequest(query, {
    keys: deps.cursorKeys,
    ids: uuidRowId<'audit event'>(),
    route: 'listAuditEvents',
    tenant: organization.id,
    filters: null,
  });
  const events = await listOrganizationEvents(deps.database, organization.id, request);
  const usernames = await organizations.findUsernames(
    deps.database,
    events.flatMap(({ accountId }) => accountId ?? []),
  );
  return presentPage<AuditRecord, AuditEventId, Static<typeof AuditEventSchema>>(
    request,
    events,
    (event) => ({
      id: event.id,
      createdAt: isoMicroseconds(event.createdAt),
      kind: event.kind,
      username: (event.accountId === null ? undefined : usernames.get(event.accountId)) ?? null,
      address: event.address,
      user_agent: event.userAgent,
      detail: event.detail as Record<string, unknown>,
    }),
  );
}

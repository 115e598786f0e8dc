import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { pageSchema, UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
import { organizationKeyOf } from '../projects/change-projects.ts';
import type { StorageRoutesDeps } from '../projects/project-routes.ts';
import { ProjectParams, organizationProperty } from '../projects/project-routes.ts';
import { storageRequestOf } from '../storage-deps.ts';
import { listPeopleUsage, readProjectUsage, setPersonQuota, setProjectQuota } from './change-quotas.ts';
import type { PersonUsage, Quota } from './quota-store.ts';

const tag = 'usage';
/** A petabyte. */
export const quotaBytesMax = 1024 ** 5;

const quotaProperty = Type.Union([Type.Integer({ minimum: 0, maximum: quotaBytesMax }), Type.Null()]);
const ProjectUsageSchema = titledObject('ProjectUsage', {
  usedBytes: Type.Integer({ minimum: 0, description: 'Files, versions, trash and open uploads.' }),
  quotaBytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Null: limited by the quota of the organization only.',
  }),
});
const PersonUsageSchema = titledObject('PersonUsage', {
  username: Type.String(),
  role: Type.String(),
  usedBytes: Type.Integer({
    minimum: 0,
    description: 'Content that this person uploaded, and open uploads.',
  }),
  quotaBytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Null: the default of the role.',
  }),
});
const QuotaSchema = titledObject('QuotaChange', { quotaBytes: quotaProperty });

export function quotaRoutes(deps: StorageRoutesDeps): readonly RouteDeclaration[] {
  return [projectUsageRoute(deps), projectQuotaRoute(deps), peopleRoute(deps), personQuotaRoute(deps)];
}

function presentUsage({ bytes, quotaBytes }: Quota) {
  return { usedBytes: bytes, quotaBytes };
}

function presentPerson({ username, role, ...usage }: PersonUsage) {
  return { username, role, ...presentUsage(usage) };
}

function projectUsageRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/projects/{project}/usage',
    surface: deps.surface,
    operationId: 'readProjectUsage',
    tag,
    summary: 'Get the storage usage and quota of a project.',
    params: ProjectParams,
    responses: { 200: { description: 'In bytes.', schema: ProjectUsageSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      const usage = await readProjectUsage(deps, { ...storageRequestOf(request), projectId: params.project });
      return reply.header('cache-control', 'no-store').send(presentUsage(usage));
    },
  });
}

const quotaRule =
  'If the quota is below the current usage, nothing is deleted, but uploads are refused. Requires `Daybook.Storage/Quotas/set`, which owners and admins have.';

function projectQuotaRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PUT',
    path: '/api/v1/projects/{project}/quota',
    surface: deps.surface,
    operationId: 'setProjectQuota',
    tag,
    summary: 'Set the quota of a project; null removes it.',
    description: quotaRule,
    params: ProjectParams,
    body: QuotaSchema,
    responses: { 200: { description: 'In bytes.', schema: ProjectUsageSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, body, request, reply }) => {
      const asked = { ...storageRequestOf(request), projectId: params.project, ...body };
      return reply.header('cache-control', 'no-store').send(presentUsage(await setProjectQuota(deps, asked)));
    },
  });
}

function peopleRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/usage/people',
    surface: deps.surface,
    operationId: 'listPeopleUsage',
    tag,
    summary: 'List the storage usage and quota of each member and guest, newest member first.',
    description: 'Requires `Daybook.Storage/Quotas/set`, which owners and admins have.',
    query: closedObject({ ...UnfilteredPageQuery.properties, organization: organizationProperty }),
    responses: { 200: { description: 'A page.', schema: pageSchema(PersonUsageSchema, 'PeopleUsage') } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ query: { organization, ...page }, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = organization ?? organizationKeyOf(account);
      const asked = { ...storageRequestOf(request), organizationKey, page };
      return reply
        .header('cache-control', 'no-store')
        .send(await listPeopleUsage(deps, asked, presentPerson));
    },
  });
}

function personQuotaRoute(deps: StorageRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PUT',
    path: '/api/v1/usage/people/{username}',
    surface: deps.surface,
    operationId: 'setPersonQuota',
    tag,
    summary: 'Set the quota of a member or guest; null restores the default.',
    description: quotaRule,
    params: Type.Object({ username: Type.String({ maxLength: 100 }) }),
    query: closedObject({ organization: organizationProperty }),
    body: QuotaSchema,
    responses: { 200: { description: 'In bytes.', schema: PersonUsageSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, query, body, request, reply }) => {
      const { account } = credentials.principalOf(request);
      const organizationKey = query.organization ?? organizationKeyOf(account);
      const asked = { ...storageRequestOf(request), organizationKey, ...params, ...body };
      return reply.header('cache-control', 'no-store').send(presentPerson(await setPersonQuota(deps, asked)));
    },
  });
}

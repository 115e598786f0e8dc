import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { agentsRequestOf, memberParams, memberPath } from '../agents-address.ts';
import type { AgentRoutesDeps } from '../agents/agent-routes.ts';
import {
  AgentSchema,
  agentSettingsFields,
  changedFields,
  presentAgent,
  presentSettings,
} from '../agents/agent-schema.ts';
import { restoreAgentVersion } from '../agents/change-agent.ts';
import type { AgentVersion } from '../agents/version-store.ts';
import { listAgentVersions, readAgentVersion } from './read-versions.ts';

const tag = 'agents';
const versionsPath = `${memberPath}/mentors/{unique_id}/versions/`;
const agentParams = { ...memberParams, unique_id: Type.String({ maxLength: 64 }) };
const AgentParams = Type.Object(agentParams);
const VersionParams = Type.Object({
  ...agentParams,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

const fields = {
  number: Type.Integer({ description: 'Number of the version. The newest version is in effect.' }),
  made_by: Type.String({ description: 'A username.' }),
  made_at: Type.String({ format: 'date-time' }),
};
const VersionListSchema = titledObject('AgentVersions', {
  versions: Type.Array(
    titledObject('ListedAgentVersion', {
      ...fields,
      changed: Type.Array(Type.Enum(Object.keys(agentSettingsFields)), {
        description: 'The settings that differ from the previous version; empty for the oldest version.',
      }),
    }),
  ),
});
const VersionSchema = titledObject('AgentVersion', {
  ...fields,
  settings: titledObject('AgentVersionSettings', agentSettingsFields),
});

function presentVersion({ number, madeBy, madeAt }: AgentVersion) {
  return { number, made_by: madeBy, made_at: isoMicroseconds(madeAt) };
}

export function versionRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), readRoute(deps), restoreRoute(deps)];
}

function listRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: versionsPath,
    surface: deps.surface,
    operationId: 'listAgentVersions',
    tag,
    summary: 'List the versions of the settings of an agent.',
    description:
      'Newest first: one version for each of the last 50 changes, and the settings before the first change. Empty if the agent was never changed.',
    params: AgentParams,
    responses: { 200: { description: 'The versions.', schema: VersionListSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
      const versions = await listAgentVersions(deps, asked);
      return reply.header('cache-control', 'no-store').send({
        versions: versions.map((version, at) => {
          const before = versions[at + 1]?.settings ?? version.settings;
          return { ...presentVersion(version), changed: changedFields(before, version.settings) };
        }),
      });
    },
  });
}

function readRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${versionsPath}{number}/`,
    surface: deps.surface,
    operationId: 'readAgentVersion',
    tag,
    summary: 'Get a version of the settings of an agent.',
    params: VersionParams,
    responses: { 200: { description: 'The version.', schema: VersionSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
      const { version } = await readAgentVersion(deps, { ...asked, number: params.number });
      return reply
        .header('cache-control', 'no-store')
        .send({ ...presentVersion(version), settings: presentSettings(version.settings) });
    },
  });
}

function restoreRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `${versionsPath}{number}/restore/`,
    surface: deps.surface,
    operationId: 'restoreAgentVersion',
    tag,
    summary: 'Restore a version of the settings of an agent.',
    description: 'The settings of that version become the newest version. Name and slug are not changed.',
    params: VersionParams,
    responses: { 200: { description: 'The updated resource.', schema: AgentSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
      const agent = await restoreAgentVersion(deps, { ...asked, number: params.number });
      return reply.header('cache-control', 'no-store').send(presentAgent(agent));
    },
  });
}

import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { pageQueryProperties } from '../../foundation/pagination/page-schema.ts';
import { MemberParams, agentsRequestOf, memberParams, memberPath } from '../agents-address.ts';
import type { AgentsDeps } from '../agents-deps.ts';
import {
  AgentChangeSchema,
  AgentPageSchema,
  AgentSchema,
  NewAgentSchema,
  presentAgent,
  presentListedAgent,
  settingsOf,
} from './agent-schema.ts';
import { changeAgent, removeAgent } from './change-agent.ts';
import { createAgent, duplicateAgent } from './create-agent.ts';
import { readAgent, searchAgents } from './read-agents.ts';

export interface AgentRoutesDeps extends AgentsDeps {
  readonly surface: Surface;
}

const tag = 'agents';
const bodyBytesMax = 256 * 1024;
const settingsPath = `${memberPath}/mentors/{unique_id}/settings/`;
const SettingsParams = Type.Object({ ...memberParams, unique_id: Type.String({ maxLength: 64 }) });

const SearchQuery = closedObject({
  ...pageQueryProperties,
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name, display name or description, not case-sensitive.',
    }),
  ),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a category.' })),
});

export function agentRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [
    createRoute(deps),
    searchRoute(deps),
    readRoute(deps),
    changeRoute(deps),
    ...copyAndDeleteRoutes(deps),
  ];
}

function createRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `${memberPath}/mentor-with-settings/`,
    surface: deps.surface,
    operationId: 'createAgent',
    tag,
    summary: 'Create an agent from a template.',
    description: 'Omitted settings are taken from the template.',
    params: MemberParams,
    body: NewAgentSchema,
    bodyBytesMax,
    responses: { 201: { description: 'Created.', schema: AgentSchema } },
    problems: [forbidden, notFound, conflict],
    handle: async ({ params, body, request, reply }) => {
      const agent = await createAgent(deps, {
        ...agentsRequestOf(request, params),
        agent: { templateName: body.template_name, name: body.new_mentor_name, ...settingsOf(body) },
      });
      return reply.code(201).header('cache-control', 'no-store').send(presentAgent(agent));
    },
  });
}

function searchRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: '/dm/api/search/orgs/{org}/users/{username}/mentors/',
    surface: deps.surface,
    operationId: 'searchAgents',
    tag,
    summary: 'List agents.',
    params: MemberParams,
    query: SearchQuery,
    responses: { 200: { description: 'A page.', schema: AgentPageSchema } },
    problems: [invalidCursor, forbidden, notFound],
    handle: async ({ params, query: { query, category, ...page }, request, reply }) => {
      const filter = { ...(query !== undefined && { query }), ...(category !== undefined && { category }) };
      const asked = { ...agentsRequestOf(request, params), page, filter };
      return reply
        .header('cache-control', 'no-store')
        .send(await searchAgents(deps, asked, presentListedAgent));
    },
  });
}

function readRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: settingsPath,
    surface: deps.surface,
    operationId: 'readAgentSettings',
    tag,
    summary: 'Get the settings of an agent.',
    params: SettingsParams,
    responses: { 200: { description: 'The agent.', schema: AgentSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
      return reply.header('cache-control', 'no-store').send(presentAgent(await readAgent(deps, asked)));
    },
  });
}

function changeRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'PATCH',
    path: settingsPath,
    surface: deps.surface,
    operationId: 'changeAgentSettings',
    tag,
    summary: 'Update the settings or template of an agent.',
    params: SettingsParams,
    body: AgentChangeSchema,
    bodyBytesMax,
    responses: { 200: { description: 'The updated resource.', schema: AgentSchema } },
    problems: [forbidden, notFound],
    handle: async ({ params, body, request, reply }) => {
      const { categories, template_name: templateName } = body;
      const agent = await changeAgent(deps, {
        ...agentsRequestOf(request, params),
        agentId: params.unique_id,
        change: {
          ...settingsOf(body),
          ...(categories !== undefined && { categories }),
          ...(templateName !== undefined && { templateName }),
        },
      });
      return reply.header('cache-control', 'no-store').send(presentAgent(agent));
    },
  });
}

const oneAgentPath = `${memberPath}/mentors/{unique_id}/`;
const CopySchema = Type.Pick(NewAgentSchema, ['new_mentor_name'], {
  title: 'AgentCopy',
  additionalProperties: false,
});

function copyAndDeleteRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${oneAgentPath}duplicate/`,
      surface: deps.surface,
      operationId: 'duplicateAgent',
      tag,
      summary: 'Copy an agent under a new name.',
      params: SettingsParams,
      body: CopySchema,
      bodyBytesMax: 4 * 1024,
      responses: { 201: { description: 'Created.', schema: AgentSchema } },
      problems: [forbidden, notFound, conflict],
      handle: async ({ params, body, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), agentId: params.unique_id };
        const agent = await duplicateAgent(deps, { ...asked, name: body.new_mentor_name });
        return reply.code(201).header('cache-control', 'no-store').send(presentAgent(agent));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: oneAgentPath,
      surface: deps.surface,
      operationId: 'deleteAgent',
      tag,
      summary: 'Delete an agent.',
      params: SettingsParams,
      responses: { 204: { description: 'Deleted.' } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        await removeAgent(deps, { ...agentsRequestOf(request, params), agentId: params.unique_id });
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  ];
}

import { Type } from 'typebox';

import {
  conflict,
  forbidden,
  internal,
  invalidCursor,
  notFound,
} from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { pageQueryProperties } from '../../foundation/pagination/page-schema.ts';
import { credentials } from '../../identity/index.ts';
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
import { changeAgent } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { readAgent, searchAgents } from './read-agents.ts';

export interface AgentRoutesDeps extends AgentsDeps {
  readonly surface: Surface;
}

const tag = 'agents';
const bodyBytesMax = 256 * 1024;
const settingsPath = `${memberPath}/mentors/{unique_id}/settings/`;
const SettingsParams = Type.Object({ ...memberParams, unique_id: Type.String({ maxLength: 64 }) });

export function agentRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [createRoute(deps), searchRoute(deps), readRoute(deps), changeRoute(deps)];
}

function createRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: `${memberPath}/mentor-with-settings/`,
    surface: deps.surface,
    operationId: 'createAgent',
    tag,
    summary: 'Makes an agent from a template.',
    description: 'What the body does not say is taken from the template.',
    params: MemberParams,
    body: NewAgentSchema,
    bodyBytesMax,
    responses: { 201: { description: 'Made.', schema: AgentSchema } },
    problems: [forbidden, notFound, conflict, internal],
    handle: async ({ params, body, request, reply }) => {
      const agent = await createAgent(deps, {
        ...agentsRequestOf(request, params),
        client: credentials.clientOf(request),
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
    summary: 'Agents of the organization.',
    params: MemberParams,
    query: Type.Object({
      ...pageQueryProperties,
      query: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Occurs in name, display name or description, in small or capital letters.',
        }),
      ),
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of a category.' })),
    }),
    responses: { 200: { description: 'A page.', schema: AgentPageSchema } },
    problems: [invalidCursor, forbidden, notFound, internal],
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
    summary: 'The settings of an agent.',
    params: SettingsParams,
    responses: { 200: { description: 'The agent.', schema: AgentSchema } },
    problems: [forbidden, notFound, internal],
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
    summary: 'Changes settings of an agent; its name and template stay.',
    params: SettingsParams,
    body: AgentChangeSchema,
    bodyBytesMax,
    responses: { 200: { description: 'As it is now.', schema: AgentSchema } },
    problems: [forbidden, notFound, internal],
    handle: async ({ params, body, request, reply }) => {
      const { categories } = body;
      const agent = await changeAgent(deps, {
        ...agentsRequestOf(request, params),
        agentId: params.unique_id,
        client: credentials.clientOf(request),
        change: { ...settingsOf(body), ...(categories !== undefined && { categories }) },
      });
      return reply.header('cache-control', 'no-store').send(presentAgent(agent));
    },
  });
}

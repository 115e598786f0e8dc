import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import type { AgentGuideDeps } from './agent-addresses.ts';
import { agentAddresses } from './agent-addresses.ts';
import { AgentResponseSchema } from './agent-schema.ts';

export function agentRoutes(tools: NewsRouteTools, deps: AgentGuideDeps): readonly RouteDeclaration[] {
  const answer = (baseUrl: string): object => ({
    schemaVersion: 1,
    addresses: agentAddresses({ ...deps, baseUrl }),
  });
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/agent`,
      operationId: 'listAgentAddresses',
      tag: 'agents',
      summary: 'List the Markdown documents for agents.',
      ok: {
        description: 'The list.',
        schema: AgentResponseSchema,
        example: answer('https://daybook.example'),
      },
      freshness: 'five-minutes',
      resource: () => ({
        key: 'agent',
        cacheTags: [],
        build: async () => jsonBody(JSON.stringify(answer(deps.baseUrl))),
      }),
    }),
  ];
}

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { agentAddresses } from './agent-addresses.ts';
import { AgentResponseSchema } from './agent-schema.ts';

export function agentRoutes(
  tools: NewsRouteTools,
  { baseUrl }: { readonly baseUrl: string },
): readonly RouteDeclaration[] {
  const answer = (base: string): object => ({ schemaVersion: 1, addresses: agentAddresses(base) });
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/agent`,
      operationId: 'listAgentAddresses',
      tag: 'agents',
      summary: 'Addresses of Markdown documents made for agents.',
      ok: {
        description: 'The list.',
        schema: AgentResponseSchema,
        example: answer('https://daybook.example'),
      },
      freshness: 'five-minutes',
      resource: () => ({
        key: 'agent',
        topics: [],
        build: async () => jsonBody(JSON.stringify(answer(baseUrl))),
      }),
    }),
  ];
}

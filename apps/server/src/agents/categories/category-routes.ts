import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { MemberParams, agentsRequestOf, memberPath } from '../agents-address.ts';
import type { AgentRoutesDeps } from '../agents/agent-routes.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { agentCategories } from './agent-category.ts';

const CategorySchema = titledObject('AgentCategory', {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
});

export function categoryRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${memberPath}/mentor/categories/`,
      surface: deps.surface,
      operationId: 'listAgentCategories',
      tag: 'agents',
      summary: 'List agent categories.',
      params: MemberParams,
      responses: { 200: { description: 'All categories.', schema: Type.Array(CategorySchema) } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        await enterAsMember(deps, agentsRequestOf(request, params));
        return reply.header('cache-control', 'no-store').send(agentCategories);
      },
    }),
  ];
}

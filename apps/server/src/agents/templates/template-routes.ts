import { Type } from 'typebox';
import type { Static } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { MemberParams, agentsRequestOf, memberParams, memberPath } from '../agents-address.ts';
import type { AgentRoutesDeps } from '../agents/agent-routes.ts';
import { AgentCategories, AgentText } from '../agents/agent-schema.ts';
import type { AgentTemplate } from './agent-template.ts';
import { createTemplate, removeTemplate } from './change-templates.ts';
import { listTemplates } from './read-templates.ts';

const tag = 'agents';
const collection = `${memberPath}/templates/`;
const TemplateName = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });

const TemplateSchema = titledObject('AgentTemplate', {
  name: TemplateName,
  description: AgentText.description,
  system_prompt: AgentText.system_prompt,
  llm_provider: AgentText.llm_provider,
  categories: AgentCategories,
  reads_public_record: Type.Boolean({
    description: 'Whether agents with this template answer from the public record.',
  }),
  reads_files: Type.Optional(
    Type.Boolean({
      default: true,
      description:
        'Whether agents with this template answer from files of the organization that the member who asks can read.',
    }),
  ),
});

export function templateRoutes(deps: AgentRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: collection,
      surface: deps.surface,
      operationId: 'listAgentTemplates',
      tag,
      summary: 'List the templates of the organization.',
      params: MemberParams,
      responses: { 200: { description: 'All templates.', schema: Type.Array(TemplateSchema) } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const templates = await listTemplates(deps, agentsRequestOf(request, params));
        return reply.header('cache-control', 'no-store').send(templates.map(presentTemplate));
      },
    }),
    defineRoute({
      method: 'POST',
      path: collection,
      surface: deps.surface,
      operationId: 'createAgentTemplate',
      tag,
      summary: 'Create a template.',
      params: MemberParams,
      body: TemplateSchema,
      bodyBytesMax: 256 * 1024,
      responses: { 201: { description: 'Created.', schema: TemplateSchema } },
      problems: [forbidden, notFound, conflict],
      handle: async ({ params, body, request, reply }) => {
        const template = await createTemplate(deps, {
          ...agentsRequestOf(request, params),
          template: {
            name: body.name,
            description: body.description,
            systemPrompt: body.system_prompt,
            llmProvider: body.llm_provider,
            categories: body.categories,
            readsPublicRecord: body.reads_public_record,
            readsFiles: body.reads_files ?? true,
          },
        });
        return reply.code(201).header('cache-control', 'no-store').send(presentTemplate(template));
      },
    }),
    removeRoute(deps),
  ];
}

function removeRoute(deps: AgentRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'DELETE',
    path: `${collection}{name}`,
    surface: deps.surface,
    operationId: 'removeAgentTemplate',
    tag,
    summary: 'Delete a template. Agents created from it do not change.',
    params: Type.Object({ ...memberParams, name: Type.String({ maxLength: 64 }) }),
    responses: { 204: { description: 'Removed.' } },
    problems: [forbidden, notFound],
    handle: async ({ params, request, reply }) => {
      await removeTemplate(deps, { ...agentsRequestOf(request, params), name: params.name });
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });
}

function presentTemplate(template: AgentTemplate): Static<typeof TemplateSchema> {
  return {
    name: template.name,
    description: template.description,
    system_prompt: template.systemPrompt,
    llm_provider: template.llmProvider,
    categories: [...template.categories],
    reads_public_record: template.readsPublicRecord,
    reads_files: template.readsFiles,
  };
}

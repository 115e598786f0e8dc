import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { languageQuery } from '../reader-language-query.ts';
import { HotTopicsResponseSchema, hotTopicsExample } from './hot-topics-schema.ts';
import type { HotTopicsDeps } from './hot-topics.ts';
import { hotTopicsResource } from './hot-topics.ts';

export function hotTopicsRoutes(tools: NewsRouteTools, deps: HotTopicsDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/hot-topics`,
      operationId: 'listHotTopics',
      tag: 'hot-topics',
      summary: 'Get the latest Top 10.',
      query: languageQuery,
      ok: { description: 'The ranking.', schema: HotTopicsResponseSchema, example: hotTopicsExample },
      freshness: 'minute',
      resource: ({ query }) => hotTopicsResource(deps, query),
    }),
  ];
}

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import { momentQuery } from '../moments/as-of-schema.ts';
import type { MomentDeps } from '../moments/moment-resource.ts';
import { atMoment } from '../moments/moment-resource.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { HotTopicsResponseSchema, hotTopicsExample } from './hot-topics-schema.ts';
import type { HotTopicsDeps } from './hot-topics.ts';
import { hotTopicsResource } from './hot-topics.ts';

export function hotTopicsRoutes(
  tools: NewsRouteTools,
  deps: HotTopicsDeps & MomentDeps,
): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/hot-topics`,
      operationId: 'listHotTopics',
      tag: 'hot-topics',
      summary: 'Get the latest Top 10.',
      query: momentQuery,
      ok: { description: 'The ranking.', schema: HotTopicsResponseSchema, example: hotTopicsExample },
      freshness: 'minute',
      resource: ({ query: { at, ...query } }) =>
        atMoment(deps, { at, subject: async () => ({ kind: 'ranking' }), proof: null }, (then) =>
          hotTopicsResource(then, query),
        ),
    }),
  ];
}

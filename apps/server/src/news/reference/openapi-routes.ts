import { Type } from 'typebox';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { describeNewsApi } from './openapi-document.ts';

/** Describes the given routes, and itself. */
export function openApiRoute(
  tools: NewsRouteTools,
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): RouteDeclaration {
  const route: RouteDeclaration = defineNewsRoute(tools, {
    path: '/openapi-v1.json',
    operationId: 'getDescription',
    tag: 'description',
    summary: 'Get this OpenAPI 3.1.0 document.',
    ok: {
      description: 'The OpenAPI document.',
      schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
      example: { openapi: '3.1.0', info: { title: 'Daybook news API', version: '4.0.0' } },
    },
    freshness: 'five-minutes',
    resource: () => ({
      key: 'openapi',
      cacheTags: [],
      build: async () => jsonBody(JSON.stringify(describeNewsApi([...routes, route], baseUrl))),
    }),
  });
  return route;
}

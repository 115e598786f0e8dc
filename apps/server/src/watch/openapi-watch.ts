import type { ApiDescription } from '../foundation/http/api-description.ts';
import { createDescriptionRoute, describeGuardedApi } from '../foundation/http/api-description.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { Surface } from '../foundation/http/surface.ts';
import { feedAddressRoutes, privateFeedRoutes } from './feeds/feed-routes.ts';
import type { SearchRoutesDeps } from './searches/search-routes.ts';
import { searchRoutes } from './searches/search-routes.ts';
import type { WebhookDeps } from './webhooks/change-webhooks.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

const watchApi: ApiDescription = {
  path: '/openapi-watch.json',
  operationId: 'getWatchDescription',
  title: 'Daybook saved searches API',
  version: '1.0.0',
  description: `Saved searches of an account, their matches, private feeds and webhooks.

Send \`Authorization: Bearer <access token>\` or \`X-API-Key: <key>\`. Resources of other accounts return 404. Errors are \`application/problem+json\` documents; use \`code\` to handle them. Wait \`Retry-After\` seconds on 429 and 503.`,
  tags: [
    { name: 'saved-searches', description: 'Searches that are compared with new items.' },
    { name: 'private-feeds', description: 'Feeds of matches at a secret address.' },
    { name: 'webhooks', description: 'Matches sent to your URL.' },
    { name: 'description', description: 'This document.' },
  ],
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token (one hour).' },
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '64 hex digits.' },
  },
  securityOf: { data: [{ bearer: [] }, { apiKey: [] }] },
};

export type WatchRoutesDeps = SearchRoutesDeps & WebhookDeps;

/** The JSON endpoints and private feeds of this domain, and their description. */
export function watchRoutes(deps: WatchRoutesDeps, anonymous: Surface): readonly RouteDeclaration[] {
  const routes = [
    ...searchRoutes(deps),
    ...feedAddressRoutes(deps),
    ...webhookRoutes(deps),
    ...privateFeedRoutes(deps, anonymous),
  ];
  return [...routes, createDescriptionRoute(watchApi, anonymous, routes, deps.baseUrl)];
}

export function describeWatchApi(
  routes: readonly RouteDeclaration[],
  baseUrl: string,
): Record<string, unknown> {
  return describeGuardedApi(watchApi, routes, baseUrl);
}

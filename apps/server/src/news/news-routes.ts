import type pg from 'pg';

import type { Clock } from '../foundation/clock.ts';
import type { Database } from '../foundation/database/database.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import { createAddresses } from './addresses.ts';
import { agentRoutes } from './agent-index/agent-routes.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { hotTopicsRoutes } from './hot-topics/hot-topics-routes.ts';
import { itemsRoutes } from './items/items-routes.ts';
import { SearchQueue } from './items/search-queue.ts';
import { markdownRoutes } from './markdown/markdown-routes.ts';
import type { NewsRouteTools } from './news-route.ts';
import { openApiRoute } from './reference/openapi-routes.ts';
import { reportRoutes } from './reports/report-routes.ts';
import { selectedRoutes } from './selected/selected-routes.ts';
import { storyRoutes } from './stories/story-routes.ts';

export interface NewsDeps {
  /** With the login that may only read the record. */
  readonly database: Database;
  /** The same connections, for COPY. */
  readonly pool: pg.Pool;
  /** The same, with few connections and a short statement time-out. */
  readonly searchDatabase: Database;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
}

/** As many searches run as `searchDatabase` should have connections. */
export const searchesRunningMax = 4;
const searchesWaitingMax = 32;

export function newsRoutes(tools: NewsRouteTools, news: NewsDeps): readonly RouteDeclaration[] {
  const searchQueue = new SearchQueue({ runningMax: searchesRunningMax, waitingMax: searchesWaitingMax });
  const deps = { ...news, searchQueue, addresses: createAddresses(news.baseUrl) };
  const routes = [
    ...itemsRoutes(tools, deps),
    ...hotTopicsRoutes(tools, deps),
    ...storyRoutes(tools, deps),
    ...reportRoutes(tools, deps),
    ...selectedRoutes(tools, deps),
    ...agentRoutes(tools, deps),
    ...markdownRoutes(tools, deps),
    ...feedRoutes(tools, deps),
  ];
  return [...routes, openApiRoute(tools, routes, news.baseUrl)];
}

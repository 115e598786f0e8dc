import type { Clock } from '../foundation/clock.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import type { RecordReader } from '../record/index.ts';
import { createAddresses } from './addresses.ts';
import { agentRoutes } from './agent-index/agent-routes.ts';
import { archiveFileRoutes } from './archive/archive-file-routes.ts';
import { archiveRoutes } from './archive/archive-routes.ts';
import { correctionsRoutes } from './corrections/corrections-routes.ts';
import { editionRoutes } from './editions/edition-routes.ts';
import { feedRoutes } from './feeds/feed-routes.ts';
import { hotTopicsRoutes } from './hot-topics/hot-topics-routes.ts';
import { itemsRoutes } from './items/items-routes.ts';
import { historyRoutes } from './log/history-routes.ts';
import { proofRoutes } from './log/proof-routes.ts';
import { markdownRoutes } from './markdown/markdown-routes.ts';
import type { NewsRouteTools } from './news-route.ts';
import { openApiRoute } from './reference/openapi-routes.ts';
import { selectedRoutes } from './selected/selected-routes.ts';
import { sourcesRoutes } from './sources/sources-routes.ts';
import { storyRoutes } from './stories/story-routes.ts';

export interface NewsDeps {
  readonly record: RecordReader;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly storyLayer: boolean;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

export function newsRoutes(tools: NewsRouteTools, news: NewsDeps): readonly RouteDeclaration[] {
  const deps = { ...news, addresses: createAddresses(news.baseUrl) };
  const routes = [
    ...itemsRoutes(tools, deps),
    ...archiveRoutes(tools, deps),
    ...archiveFileRoutes(tools, deps),
    ...hotTopicsRoutes(tools, deps),
    ...storyRoutes(tools, deps),
    ...editionRoutes(tools, deps),
    ...selectedRoutes(tools, deps),
    ...sourcesRoutes(tools, deps),
    ...correctionsRoutes(tools, deps),
    ...proofRoutes(tools, deps),
    ...historyRoutes(tools, deps),
    ...agentRoutes(tools, deps),
    ...markdownRoutes(tools, deps),
    ...feedRoutes(tools, deps),
  ];
  return [...routes, openApiRoute(tools, describedNewsRoutes(routes, news), news.baseUrl)];
}

/** With the story layer off its routes stay and return 404, but are not described. */
export function describedNewsRoutes(
  routes: readonly RouteDeclaration[],
  { storyLayer }: Pick<NewsDeps, 'storyLayer'>,
): readonly RouteDeclaration[] {
  return storyLayer ? routes : routes.filter(({ path }) => !path.includes('/stories/'));
}

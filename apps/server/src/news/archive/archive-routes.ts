import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { archiveResource } from './archive-representation.ts';
import { archiveExample, ArchiveQuerySchema, ArchiveResponseSchema } from './archive-schema.ts';

export function archiveRoutes(tools: NewsRouteTools, deps: ItemsDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/archive/items`,
      operationId: 'listArchiveItems',
      tag: 'archive',
      summary: 'List selected items of all time, newest first.',
      description:
        'One request reads at most 366 days and 1,000 selected items; with q, items that have its words. If fewer match than the limit, the page is short and hasMore is true: continue with nextCursor.',
      query: ArchiveQuerySchema,
      ok: { description: 'One page.', schema: ArchiveResponseSchema, example: archiveExample },
      problems: [invalidCursor],
      freshness: 'minute',
      resource: ({ query }) => archiveResource(deps, query),
    }),
  ];
}

import { invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import { momentQuery } from '../moments/as-of-schema.ts';
import { atMoment } from '../moments/moment-resource.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { itemResource, withdrawn } from './item-representation.ts';
import type { ItemsDeps } from './items-representation.ts';
import { itemsResource } from './items-representation.ts';
import {
  ItemParamsSchema,
  ItemResponseSchema,
  ItemsQuerySchema,
  ItemsResponseSchema,
  itemResponseExample,
  itemsExample,
} from './items-schema.ts';

export function itemsRoutes(tools: NewsRouteTools, deps: ItemsDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/items`,
      operationId: 'listItems',
      tag: 'items',
      summary: 'List items of the last 24 hours or 7 days, newest first.',
      description:
        'For feeds and widgets. Items leave the list when they are older than the window; for a complete copy of the selected set, use the mirror. To follow new items, page back until you reach a known id.',
      query: ItemsQuerySchema,
      ok: { description: 'One page.', schema: ItemsResponseSchema, example: itemsExample },
      problems: [invalidCursor],
      freshness: 'minute',
      resource: ({ query }) => itemsResource(deps, query),
    }),
    defineNewsRoute(tools, {
      path: `${apiPath}/items/{id}`,
      operationId: 'getItem',
      tag: 'items',
      summary: 'Get an item of any age.',
      params: ItemParamsSchema,
      query: momentQuery,
      ok: { description: 'The item.', schema: ItemResponseSchema, example: itemResponseExample },
      problems: [notFound, withdrawn],
      freshness: 'minute',
      resource: ({ params: { id }, query: { at, ...query } }) =>
        atMoment(
          deps,
          { at, subject: async () => ({ kind: 'item', id }), proof: `${apiPath}/items/${id}/proof` },
          (then) => itemResource(then, { id, ...query }),
        ),
    }),
  ];
}

import type { TObject } from 'typebox';
import { Type } from 'typebox';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { closedObject } from '../../foundation/closed-object.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { categories } from '../../record/index.ts';
import { editionDefinitions } from '../editions/edition-kinds.ts';
import type { EditionDeps } from '../editions/edition-representation.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import { itemFilters } from '../items/items-schema.ts';
import type { NewsRoute, NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { itemLanguageQuery, languageQuery, searchQuery } from '../reader-language-query.ts';
import type { StoryDeps } from '../stories/story-representation.ts';
import { storyResource } from '../stories/story-representation.ts';
import { StoryParamsSchema } from '../stories/story-schema.ts';
import {
  categoryFeed,
  correctionsFeedResource,
  itemFeedResource,
  editionFeedResource,
  queryFeed,
  searchFeed,
  selectedFeed,
  storyFeedForm,
} from './feed-documents.ts';
import type { FeedFormat } from './feed-writer.ts';
import { feedContentTypes } from './feed-writer.ts';
import { robotsResource, sitemapContentType, sitemapResource } from './sitemap.ts';

const formats: readonly {
  readonly format: FeedFormat;
  readonly description: string;
  readonly example: unknown;
}[] = [
  {
    format: 'atom',
    description: 'Atom 1.0.',
    example: '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
  },
  {
    format: 'rss',
    description: 'RSS 2.0.',
    example: '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0">…</rss>',
  },
  {
    format: 'json',
    description: 'JSON Feed 1.1.',
    example: { version: 'https://jsonfeed.org/version/1.1', title: 'Daybook: selected items', items: [] },
  },
];

interface FeedRoute<Params, Query> extends Pick<
  NewsRoute<Params, Query>,
  'summary' | 'params' | 'query' | 'redirects' | 'problems' | 'freshness'
> {
  readonly name: string;
  /** Below `/feeds/`, without the extension; defaults to the name. */
  readonly path?: string;
  readonly resource: (
    input: RouteInput<Params, Query, undefined>,
    path: string,
    format: FeedFormat,
  ) => Resource;
}

/** The same entries in all formats. */
function feedIn<
  Params extends TObject | undefined = undefined,
  Query extends TObject | undefined = undefined,
>(
  tools: NewsRouteTools,
  { name, path: below = name, resource, ...declared }: FeedRoute<Params, Query>,
): readonly RouteDeclaration[] {
  return formats.map(({ format, description, example }) => {
    const path = `/feeds/${below}.${format}`;
    return defineNewsRoute<Params, Query>(tools, {
      ...declared,
      path,
      operationId: `getFeed_${name}_${format}`,
      tag: 'feeds',
      ok: {
        description,
        schema:
          format === 'json'
            ? Type.Object({ version: Type.String() }, { additionalProperties: true })
            : Type.String(),
        example,
        contentType: feedContentTypes[format],
      },
      resource: (input) => resource(input, path, format),
    });
  });
}

export function feedRoutes(
  tools: NewsRouteTools,
  deps: ItemsDeps & EditionDeps & StoryDeps,
): readonly RouteDeclaration[] {
  return [
    ...itemFeedRoutes(tools, deps),
    ...editionDefinitions.flatMap((definition) =>
      feedIn(tools, {
        name: definition.kind,
        summary: `List the newest ${definition.kind} reports.`,
        query: languageQuery,
        freshness: definition.indexFreshness,
        resource: ({ query }, path, format) =>
          editionFeedResource(deps, definition, { path, ...query }, format),
      }),
    ),
    ...feedIn(tools, {
      name: 'corrections',
      summary: 'List the newest corrections.',
      query: languageQuery,
      freshness: 'minute',
      resource: ({ query }, path, format) => correctionsFeedResource(deps, { path, ...query }, format),
    }),
    ...crawlerRoutes(tools, deps),
  ];
}

function itemFeedRoutes(tools: NewsRouteTools, deps: ItemsDeps & StoryDeps): readonly RouteDeclaration[] {
  return [
    ...feedIn(tools, {
      name: 'selected',
      summary: 'List the newest selected items.',
      query: itemLanguageQuery,
      freshness: 'minute',
      resource: ({ query }, path, format) => itemFeedResource(deps, selectedFeed(path, query), format),
    }),
    ...feedIn(tools, {
      name: 'items',
      summary: 'List the newest items that match a query.',
      query: closedObject(itemFilters),
      freshness: 'minute',
      resource: ({ query }, path, format) => itemFeedResource(deps, queryFeed(path, query), format),
    }),
    ...feedIn(tools, {
      name: 'category',
      path: 'categories/{category}',
      summary: 'List the newest selected items of a category.',
      params: Type.Object({ category: Type.Enum([...categories]) }),
      query: itemLanguageQuery,
      freshness: 'minute',
      resource: ({ params: { category }, query }, path, format) =>
        itemFeedResource(deps, categoryFeed(path.replace('{category}', category), category, query), format),
    }),
    ...feedIn(tools, {
      name: 'search',
      summary: 'Search items of the last 7 days that contain every word.',
      query: searchQuery,
      freshness: 'minute',
      resource: ({ query }, path, format) => itemFeedResource(deps, searchFeed(path, query), format),
    }),
    ...feedIn(tools, {
      name: 'story',
      path: 'stories/{publicId}',
      summary: 'List the reports of a story.',
      params: StoryParamsSchema,
      query: languageQuery,
      redirects: true,
      problems: [notFound],
      freshness: 'minute',
      resource: ({ params, query }, _path, format) =>
        storyResource(deps, { ...params, ...query }, storyFeedForm(deps, query, format)),
    }),
  ];
}

function crawlerRoutes(tools: NewsRouteTools, deps: ItemsDeps & EditionDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: '/sitemap.xml',
      operationId: 'getSitemap',
      tag: 'feeds',
      summary: 'Get the sitemap.',
      ok: {
        description: 'A sitemap.',
        schema: Type.String(),
        example: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>',
        contentType: sitemapContentType,
      },
      freshness: 'five-minutes',
      resource: () => sitemapResource(deps),
    }),
    defineNewsRoute(tools, {
      path: '/robots.txt',
      operationId: 'getRobots',
      tag: 'feeds',
      summary: 'Get the robots.txt file.',
      ok: {
        description: 'A robots file.',
        schema: Type.String(),
        example: 'User-agent: *\nAllow: /\n',
        contentType: 'text/plain; charset=utf-8',
      },
      freshness: 'five-minutes',
      resource: () => robotsResource(deps.baseUrl),
    }),
  ];
}

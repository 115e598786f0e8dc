import { Type } from 'typebox';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Freshness } from '../freshness.ts';
import type { ItemsDeps } from '../items/items-page.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { reportDefinitions } from '../reports/report-kinds.ts';
import type { ReportDeps } from '../reports/report-page.ts';
import { reportFeedResource, selectedFeedResource } from './feed-documents.ts';
import type { FeedFormat } from './feed-writer.ts';
import { feedContentTypes } from './feed-writer.ts';
import { robotsResource, sitemapContentType, sitemapResource } from './sitemap.ts';

const formats: readonly { readonly format: FeedFormat; readonly example: unknown }[] = [
  {
    format: 'atom',
    example: '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
  },
  {
    format: 'json',
    example: { version: 'https://jsonfeed.org/version/1.1', title: 'Daybook: selected items', items: [] },
  },
];

export function feedRoutes(tools: NewsRouteTools, deps: ItemsDeps & ReportDeps): readonly RouteDeclaration[] {
  const feed = (
    name: string,
    summary: string,
    freshness: Freshness,
    resource: (path: string, format: FeedFormat) => Resource,
  ): readonly RouteDeclaration[] =>
    formats.map(({ format, example }) =>
      defineNewsRoute(tools, {
        path: `/feeds/${name}.${format}`,
        operationId: `getFeed_${name}_${format}`,
        tag: 'feeds',
        summary,
        ok: {
          description: format === 'atom' ? 'Atom 1.0.' : 'JSON Feed 1.1.',
          schema: format === 'atom' ? Type.String() : Type.Object({ version: Type.String() }),
          example,
          contentType: feedContentTypes[format],
        },
        freshness,
        resource: () => resource(`/feeds/${name}.${format}`, format),
      }),
    );
  return [
    ...feed('selected', 'The newest selected items.', 'minute', (path, format) =>
      selectedFeedResource(deps, path, format),
    ),
    ...reportDefinitions.flatMap((definition) =>
      feed(
        definition.kind,
        `The newest ${definition.kind} reports.`,
        definition.indexFreshness,
        (path, format) => reportFeedResource(deps, definition, path, format),
      ),
    ),
    ...crawlerRoutes(tools, deps),
  ];
}

function crawlerRoutes(tools: NewsRouteTools, deps: ItemsDeps & ReportDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: '/sitemap.xml',
      operationId: 'getSitemap',
      tag: 'feeds',
      summary: 'Pages for people, for search engines.',
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
      summary: 'Crawlers are welcome.',
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

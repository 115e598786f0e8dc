import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { matchesEntityTag, weakEntityTag } from '../../foundation/http/entity-tag.ts';
import { forbidden, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { secretTokenHash } from '../../foundation/secret-token.ts';
import { credentials } from '../../identity/index.ts';
import type { FeedFormat } from '../../news/feeds/index.ts';
import { feedContentTypes, itemEntry, writeFeed } from '../../news/feeds/index.ts';
import { newestMatches } from '../searches/match-store.ts';
import { readMatchedItems } from '../searches/matched-items.ts';
import { findAnySearch } from '../searches/saved-search-store.ts';
import type { SavedSearch } from '../searches/saved-search.ts';
import type { SearchRoutesDeps } from '../searches/search-routes.ts';
import { ownAccount, SearchParams, searchPath } from '../searches/search-routes.ts';
import { createFeedAddress, deleteFeedAddress } from './change-feed-address.ts';
import { findSearchOfFeed } from './feed-address-store.ts';

const tag = 'private-feeds';
const formats = ['atom', 'rss', 'json'] as const satisfies readonly FeedFormat[];
const entriesMax = 50;

/** The path of a private feed, below the base URL. */
export function feedPath(secret: string, format: FeedFormat): string {
  return `/feeds/saved/${secret}.${format}`;
}

const AddressesSchema = titledObject('FeedAddresses', {
  atom: Type.String({ format: 'uri' }),
  rss: Type.String({ format: 'uri' }),
  json: Type.String({ format: 'uri' }),
});

/** The same feed in all formats. */
export function feedAddressesOf(baseUrl: string, secret: string): Record<FeedFormat, string> {
  const [atom, rss, json] = formats.map((format) => baseUrl + feedPath(secret, format));
  return { atom: atom ?? '', rss: rss ?? '', json: json ?? '' };
}

export function feedAddressRoutes(deps: SearchRoutesDeps): readonly RouteDeclaration[] {
  const one = { path: `${searchPath}/feed`, surface: deps.surface, tag, params: SearchParams };
  return [
    defineRoute({
      ...one,
      method: 'POST',
      operationId: 'createFeedAddress',
      summary: 'Create the private feed address of a saved search.',
      description:
        'Anyone with the address can read the feed. The address is returned only once and replaces an earlier one.',
      responses: { 201: { description: 'The addresses, in three formats.', schema: AddressesSchema } },
      problems: [notFound, forbidden],
      handle: async ({ params, request, reply }) => {
        const secret = await createFeedAddress(deps, {
          accountId: ownAccount(request, 'change'),
          credential: credentials.principalOf(request).credential,
          searchId: params.id,
          client: credentials.clientOf(request),
        });
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send(feedAddressesOf(deps.baseUrl, secret));
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteFeedAddress',
      summary: 'Delete the private feed address of a saved search.',
      responses: { 204: { description: 'Deleted.' } },
      problems: [notFound, forbidden],
      handle: async ({ params, request, reply }) => {
        const isDeleted = await deleteFeedAddress(deps, {
          accountId: ownAccount(request, 'change'),
          searchId: params.id,
          client: credentials.clientOf(request),
        });
        if (!isDeleted) throw new ProblemError(notFound, 'This search has no feed address.');
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  ];
}

/** Neither a shared cache nor a crawler may store what a secret address returns, nor a page that it leads to see it. */
const privateHeaders = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** For everyone with the address, under the limits of anonymous requests; other origins cannot read responses. */
export function privateFeedRoutes(deps: SearchRoutesDeps, anonymous: Surface): readonly RouteDeclaration[] {
  const surface: Surface = { ...anonymous, name: 'private-feeds', cors: null };
  return formats.map((format) =>
    defineRoute({
      method: 'GET',
      path: feedPath('{secret}', format),
      surface,
      operationId: `readPrivateFeed_${format}`,
      tag,
      summary: 'Read the feed of a saved search by its private address.',
      params: Type.Object({ secret: Type.String({ maxLength: 100 }) }),
      responses: {
        200: {
          description: 'The newest matches.',
          schema: format === 'json' ? Type.Object({ version: Type.String() }) : Type.String(),
          contentType: feedContentTypes[format],
        },
        304: { description: 'Unchanged since the tag in If-None-Match; no body.' },
      },
      problems: [notFound],
      handle: async ({ params: { secret }, request, reply }) => {
        const { database, clock } = deps;
        const id = await findSearchOfFeed(database, secretTokenHash(secret), clock.now());
        const search = id === null ? null : await findAnySearch(database, id);
        if (search === null) throw new ProblemError(notFound, 'This feed address does not exist.');
        const { body, contentType } = await composeFeed(deps, search, secret, format);
        const entityTag = weakEntityTag(Buffer.from(body));
        reply.headers(privateHeaders).header('etag', entityTag);
        if (matchesEntityTag(request.raw.headers['if-none-match'], entityTag)) return reply.code(304).send();
        return reply.header('content-type', contentType).send(Buffer.from(body));
      },
    }),
  );
}

async function composeFeed(
  deps: SearchRoutesDeps,
  search: SavedSearch,
  secret: string,
  format: FeedFormat,
): Promise<{ readonly body: string; readonly contentType: string }> {
  const { database, baseUrl } = deps;
  const matches = await newestMatches(database, [search.id], entriesMax);
  const found = await readMatchedItems(deps, matches, search.wording);
  const { body, contentType } = writeFeed(
    {
      title: `Daybook: ${search.name}`,
      language: search.wording,
      selfUrl: baseUrl + feedPath(secret, format),
      homeUrl: `${baseUrl}/account/watch/${search.id}`,
      emptyAt: isoMilliseconds(search.updatedAt),
      entries: found.map(({ item }) => itemEntry(item, item.links.item)),
    },
    format,
  );
  return { body: String(body), contentType };
}

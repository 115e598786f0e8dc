import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { conflict, forbidden, invalidCursor, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import type { Id } from '../../foundation/ids.ts';
import { idForm } from '../../foundation/ids.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import type { CursorKeys } from '../../foundation/pagination/cursor-keys.ts';
import { presentPage } from '../../foundation/pagination/page-envelope.ts';
import { readPageRequest } from '../../foundation/pagination/page-request.ts';
import type { PageQuery } from '../../foundation/pagination/page-schema.ts';
import { UnfilteredPageQuery } from '../../foundation/pagination/page-schema.ts';
import { uuidRowId } from '../../foundation/pagination/row-id.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { accounts } from '../../identity/index.ts';
import { credentials } from '../../identity/index.ts';
import { selectMatches } from './match-store.ts';
import type { MatchedItemsDeps } from './matched-items.ts';
import { readMatchedItems } from './matched-items.ts';
import type { SavedSearchDeps } from './save-search.ts';
import { changeSearch, createSearch, removeSearch, requireSearch, selectSearches } from './save-search.ts';
import {
  changedSettings,
  MatchPageSchema,
  newSettings,
  NewSearchSchema,
  presentSearch,
  SavedSearchPageSchema,
  SavedSearchSchema,
  SearchChangeSchema,
} from './search-schema.ts';

export interface SearchRoutesDeps extends SavedSearchDeps, MatchedItemsDeps {
  readonly cursorKeys: CursorKeys;
  readonly surface: Surface;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

export const searchesPath = '/api/v1/saved-searches';
export const searchPath = `${searchesPath}/{id}`;
export const SearchParams = Type.Object({ id: Type.String({ pattern: idForm.source }) });
const tag = 'saved-searches';

/**
 * Saved searches belong to an account, not to an organization: an API key that is limited to permissions in organizations
 * may not use them, and one that only reads may not change them.
 */
export function ownAccount(request: FastifyRequest, use: 'read' | 'change'): accounts.AccountId {
  const { account, credential } = credentials.principalOf(request);
  const limit = credential.kind === 'api_key' ? credential.limit : null;
  if (limit === null || (limit === 'read_only' && use === 'read')) return account.id;
  throw new ProblemError(forbidden, 'This API key does not allow this action on saved searches.');
}

export function searchRoutes(deps: SearchRoutesDeps): readonly RouteDeclaration[] {
  return [listRoute(deps), createRoute(deps), ...oneRoutes(deps), matchesRoute(deps)];
}

function listRoute(deps: SearchRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: searchesPath,
    surface: deps.surface,
    operationId: 'listSavedSearches',
    tag,
    summary: 'List your saved searches, newest first.',
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: SavedSearchPageSchema } },
    problems: [invalidCursor, forbidden],
    handle: async ({ query, request, reply }) => {
      const accountId = ownAccount(request, 'read');
      const page = pageOf<'saved search'>(deps, query, { route: 'listSavedSearches', tenant: accountId });
      const found = await selectSearches(deps.database, accountId, page);
      return reply.header('cache-control', 'no-store').send(presentPage(page, found, presentSearch));
    },
  });
}

function pageOf<Kind extends string>(
  { cursorKeys }: Pick<SearchRoutesDeps, 'cursorKeys'>,
  query: PageQuery,
  list: { readonly route: string; readonly tenant: string; readonly filters?: string },
) {
  const { route, tenant, filters = null } = list;
  return readPageRequest(query, { keys: cursorKeys, ids: uuidRowId<Kind>(), route, tenant, filters });
}

function createRoute(deps: SearchRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: searchesPath,
    surface: deps.surface,
    operationId: 'createSavedSearch',
    tag,
    summary: 'Save a search.',
    description:
      'New items are compared with the search within seconds of their publication, each once. Matches of the last 7 days are listed immediately, but not sent by e-mail.',
    body: NewSearchSchema,
    bodyBytesMax: 32 * 1024,
    responses: { 201: { description: 'Created.', schema: SavedSearchSchema } },
    problems: [conflict, forbidden],
    handle: async ({ body, request, reply }) => {
      const search = await createSearch(deps, ownAccount(request, 'change'), newSettings(body, deps));
      return reply.code(201).header('cache-control', 'no-store').send(presentSearch(search));
    },
  });
}

function oneRoutes(deps: SearchRoutesDeps): readonly RouteDeclaration[] {
  const one = { path: searchPath, surface: deps.surface, tag, params: SearchParams };
  return [
    defineRoute({
      ...one,
      method: 'GET',
      operationId: 'readSavedSearch',
      summary: 'Get a saved search.',
      responses: { 200: { description: 'The saved search.', schema: SavedSearchSchema } },
      problems: [notFound, forbidden],
      handle: async ({ params, request, reply }) => {
        const search = await requireSearch(deps, ownAccount(request, 'read'), params.id);
        return reply.header('cache-control', 'no-store').send(presentSearch(search));
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: 'changeSavedSearch',
      summary: 'Change a saved search.',
      body: SearchChangeSchema,
      bodyBytesMax: 32 * 1024,
      responses: { 200: { description: 'The updated search.', schema: SavedSearchSchema } },
      problems: [notFound, forbidden],
      handle: async ({ params, body, request, reply }) => {
        const accountId = ownAccount(request, 'change');
        const search = await changeSearch(deps, accountId, params.id, changedSettings(body));
        if (search === null) throw new ProblemError(notFound, noSearch);
        return reply.header('cache-control', 'no-store').send(presentSearch(search));
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteSavedSearch',
      summary: 'Delete a saved search with its matches, feed address and webhooks.',
      responses: { 204: { description: 'Deleted.' } },
      problems: [notFound, forbidden],
      handle: async ({ params, request, reply }) => {
        const isDeleted = await removeSearch(deps, ownAccount(request, 'change'), params.id);
        if (!isDeleted) throw new ProblemError(notFound, noSearch);
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  ];
}

const noSearch = 'Saved search not found.';

function matchesRoute(deps: SearchRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${searchPath}/matches`,
    surface: deps.surface,
    operationId: 'listMatches',
    tag,
    summary: 'List the items that match a saved search, newest match first.',
    params: SearchParams,
    query: UnfilteredPageQuery,
    responses: { 200: { description: 'A page.', schema: MatchPageSchema } },
    problems: [invalidCursor, notFound, forbidden],
    handle: async ({ params, query, request, reply }) => {
      const accountId = ownAccount(request, 'read');
      const search = await requireSearch(deps, accountId, params.id);
      const list = { route: 'listMatches', tenant: accountId, filters: search.id };
      const page = pageOf<'item'>(deps, query, list);
      const found = await selectMatches(deps.database, search.id, page);
      const matched = await readMatchedItems(deps, found, search.wording);
      const items = new Map<Id<'item'>, (typeof matched)[number]['item']>(
        matched.map(({ id, item }) => [id, item]),
      );
      const shown = presentPage(page, found, ({ id, createdAt }) => ({
        matchedAt: isoMicroseconds(createdAt),
        item: items.get(id),
      }));
      const data = shown.data.filter(({ item }) => item !== undefined);
      return reply.header('cache-control', 'no-store').send({ ...shown, data });
    },
  });
}

import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { savedSearches } from '../../../watch/index.ts';
import { visitorOf } from '../visitor.ts';
import type { WatchTools } from './watch-frame.ts';
import { searchPagePath, watchPath } from './watch-frame.ts';

const matchesMax = 6;

const MatchSchema = closedObject({
  title: Type.String(),
  href: Type.String(),
  source: Type.String(),
  search: Type.String(),
  searchHref: Type.String(),
});

/** What the script of the front page shows; empty without a session. */
export function frontSectionRoute({ identity, pages, watch }: WatchTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: `${watchPath}/front`,
    surface: pages,
    operationId: 'readFrontSection',
    tag: 'pages',
    summary: 'The newest matches of the searches that are shown on the front page.',
    responses: {
      200: { description: 'Newest first.', schema: closedObject({ matches: Type.Array(MatchSchema) }) },
    },
    problems: [],
    handle: async ({ request, reply }) => {
      const visitor = await visitorOf(identity, request);
      const matches = visitor === null ? [] : await newestMatches(watch, visitor.account.id);
      return reply.header('cache-control', 'private, no-store').send({ matches });
    },
  });
}

async function newestMatches(watch: WatchTools['watch'], accountId: savedSearches.SavedSearch['accountId']) {
  const searches = await savedSearches.selectSearches(watch.database, accountId);
  const shown = new Map(
    searches.filter(({ onFrontPage }) => onFrontPage).map((search) => [search.id, search]),
  );
  const found = await savedSearches.newestMatches(watch.database, [...shown.keys()], 2 * matchesMax);
  // An item that matches several searches is shown once.
  const once = [...new Map(found.map((match) => [match.id, match])).values()].slice(0, matchesMax);
  return (await savedSearches.readMatchedItems(watch, once, watch.language)).map(({ item, searchId }) => ({
    title: item.title,
    href: item.links.item,
    source: item.source.name,
    search: shown.get(searchId)?.name ?? '',
    searchHref: searchPagePath(searchId),
  }));
}

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds, epochMicroseconds } from '../../foundation/instant.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import type { ItemSpan, ItemsRequest, ListedItem, QueryMatch } from './item-reading-store.ts';
import { searchItemRowsForEach, walkItemRowsForEach } from './item-reading-store.ts';

/** First a short scan of the newest rows; a longer one if the short scan matched one row in fifty or more. */
const walk = { glanceRows: 500, worthwhileMatches: 10, lookRows: 4_000 } as const;
/** Partitions of the index that are searched before the others. */
const recentDays = 2;

/** The newest items with all terms of a query. */
export function searchItems(
  database: Database,
  request: ItemsRequest,
  q: string,
): Promise<readonly ListedItem[]> {
  return searchItemsForEach(database, request, [q]);
}

/**
 * The newest items for each of several queries, in few statements for all of them. Common terms fill a page from the
 * newest rows alone. The planner cannot distinguish them from rare ones: it treats a term's grams as independent, and
 * expects almost no rows. For rarer terms, the index returns few enough rows, which are searched first in the last days:
 * of a large window, they can be many.
 */
export async function searchItemsForEach(
  database: Database,
  request: ItemsRequest,
  queries: readonly string[],
): Promise<readonly QueryMatch[]> {
  const searched = queries.map((query) => {
    const terms = searchTermsOf(query);
    return { patterns: terms.map(likePattern), grams: gramsOfTerms(terms) };
  });
  const found = searched.map((): readonly QueryMatch[] => []);
  const countOf = (at: number): number => found[at]?.length ?? 0;
  const isIndexed = (at: number): boolean => (searched[at]?.grams.length ?? 0) > 0;
  const search = async (
    chosen: readonly number[],
    read: (chosen: typeof searched) => Promise<readonly QueryMatch[]>,
  ): Promise<void> => {
    if (chosen.length === 0) return;
    const matches = Map.groupBy(await read(chosen.flatMap((at) => searched[at] ?? [])), ({ query }) => query);
    for (const [place, at] of chosen.entries())
      found[at] = (matches.get(place) ?? []).map((match) => ({ ...match, query: at }));
  };
  const walkRows = (chosen: readonly number[], rows: number | null): Promise<void> =>
    search(chosen, (some) => walkItemRowsForEach(database, request, some, rows));
  const openOf = (some: readonly number[]): number[] => some.filter((at) => countOf(at) < request.rowsMax);

  const all = [...searched.keys()];
  await walkRows(all, walk.glanceRows);
  const common = openOf(all).filter((at) => countOf(at) >= walk.worthwhileMatches);
  await walkRows(common, walk.lookRows);
  await walkRows(
    openOf(all).filter((at) => !isIndexed(at)),
    null,
  );
  let open = openOf(all).filter(isIndexed);
  for (const since of searchedSince(request.span)) {
    await search(open, (some) => searchItemRowsForEach(database, request, some, since));
    // An item of an earlier day cannot sort before those after its end.
    open = open.filter((at) => (found[at]?.[request.rowsMax - 1]?.key ?? since) <= since);
  }
  return found.flat();
}

/** The beginning of the last days, unless the span begins later, and that of the span. */
function searchedSince({ after, until }: ItemSpan): readonly EpochMicroseconds[] {
  const recent = epochMicroseconds(startOfDay(until) - BigInt(recentDays - 1) * dayMicroseconds);
  return recent > after ? [recent, after] : [after];
}

function startOfDay(instant: EpochMicroseconds): EpochMicroseconds {
  const into = ((instant % dayMicroseconds) + dayMicroseconds) % dayMicroseconds;
  return epochMicroseconds(instant - into);
}

/** Matches the term literally as a substring. */
export function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

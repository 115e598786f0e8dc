import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds, epochMicroseconds } from '../../foundation/instant.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import type {
  ItemSpan,
  ItemsRequest,
  ListedItem,
  QueryMatch,
  SearchSlice,
  TimeSlice,
} from './item-reading-store.ts';
import {
  searchItemRows,
  searchItemRowsForEach,
  walkItemRows,
  walkItemRowsForEach,
} from './item-reading-store.ts';

/** First a short scan of the newest rows; a longer one if the short scan matched one row in fifty or more. */
const walk = { glanceRows: 500, worthwhileMatches: 10, lookRows: 4_000 } as const;

/**
 * Common terms fill a page from the newest rows alone. The planner cannot distinguish them from rare ones: it treats
 * a term's grams as independent, expects almost no rows and would fetch every match of a day to sort it. For rarer
 * terms, the index returns few enough rows; terms that occur only in the newest rows do not cause a long scan.
 */
export async function searchItems(
  database: Database,
  request: ItemsRequest,
  q: string,
): Promise<readonly ListedItem[]> {
  const patterns = searchTermsOf(q).map(likePattern);
  const glance = await walkItemRows(database, request, patterns, walk.glanceRows);
  if (glance.length === request.rowsMax) return glance;
  if (glance.length >= walk.worthwhileMatches) {
    const look = await walkItemRows(database, request, patterns, walk.lookRows);
    if (look.length === request.rowsMax) return look;
  }
  const days = daysNewestFirst(request.span);
  return searchSlices(database, request, q, glance.length === 0 ? withRestAtOnce(days) : days);
}

/**
 * The newest items for each of several queries, in few statements for all of them. A query that the newest rows do not
 * fill is searched for by the index, first in the last two days: the index returns all matches, which of a large window
 * can be many.
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
  const search = async (
    chosen: readonly number[],
    read: (chosen: typeof searched) => Promise<readonly QueryMatch[]>,
  ): Promise<void> => {
    if (chosen.length === 0) return;
    const matches = Map.groupBy(await read(chosen.flatMap((at) => searched[at] ?? [])), ({ query }) => query);
    for (const [place, at] of chosen.entries())
      found[at] = (matches.get(place) ?? []).map((match) => ({ ...match, query: at }));
  };
  const all = [...searched.keys()];
  await search(all, (chosen) => walkItemRowsForEach(database, request, chosen, walk.glanceRows));
  let open = all.filter((at) => countOf(at) < request.rowsMax);
  const common = open.filter((at) => countOf(at) >= walk.worthwhileMatches);
  await search(common, (chosen) => walkItemRowsForEach(database, request, chosen, walk.lookRows));
  const [recent, whole] = [daysNewestFirst(request.span).slice(0, 2).at(-1)?.from, request.span.after];
  open = open.filter((at) => countOf(at) < request.rowsMax && (searched[at]?.grams.length ?? 0) > 0);
  for (const since of recent === undefined || recent <= whole ? [whole] : [recent, whole]) {
    await search(open, (chosen) => searchItemRowsForEach(database, request, chosen, since));
    // Later than `since`, no row of an earlier day can sort before these.
    open = open.filter((at) => (found[at]?.[request.rowsMax - 1]?.key ?? whole) <= since);
  }
  return found.flat();
}

/**
 * Searches the daily partitions, newest first. Nothing in an older partition can sort before the first instant of a
 * newer one, so once enough rows sort at or after that instant, the older partitions are skipped.
 */
async function searchSlices(
  database: Database,
  request: ItemsRequest,
  q: string,
  spans: readonly TimeSlice[],
): Promise<readonly ListedItem[]> {
  const terms = searchTermsOf(q);
  const [grams, patterns] = [gramsOfTerms(terms), terms.map(likePattern)];
  let found: readonly ListedItem[] = [];
  for (const span of spans) {
    const slice: SearchSlice = { ...span, grams, patterns };
    const rows = await searchItemRows(database, request, slice);
    found = mergeNewest(found, rows, request.rowsMax);
    const last = found[request.rowsMax - 1];
    if (last !== undefined && last.key >= span.from) break;
  }
  return found;
}

/** The partitions' days. The newest has no end: an item may be slightly ahead of this machine's clock. */
function daysNewestFirst(span: ItemSpan): readonly TimeSlice[] {
  const days: TimeSlice[] = [];
  let to: EpochMicroseconds | null = null;
  for (let from = startOfDay(span.until); ; from = epochMicroseconds(from - dayMicroseconds)) {
    days.push({ from, to });
    if (from <= span.after) return days;
    to = from;
  }
}

/** For terms without a match in the short scan: rare enough to search the older days together. */
function withRestAtOnce(days: readonly TimeSlice[]): readonly TimeSlice[] {
  const [oldest, alone] = [days.at(-1), days.slice(0, 2)];
  if (oldest === undefined || days.length <= alone.length) return days;
  return [...alone, { from: oldest.from, to: alone.at(-1)?.from ?? null }];
}

function startOfDay(instant: EpochMicroseconds): EpochMicroseconds {
  const into = ((instant % dayMicroseconds) + dayMicroseconds) % dayMicroseconds;
  return epochMicroseconds(instant - into);
}

/** A selected representative may have a key from before its own day, so days are merged, not appended. */
function mergeNewest(
  found: readonly ListedItem[],
  rows: readonly ListedItem[],
  rowsMax: number,
): readonly ListedItem[] {
  return [...found, ...rows].sort(newestFirst).slice(0, rowsMax);
}

function newestFirst(one: ListedItem, other: ListedItem): number {
  if (one.key !== other.key) return one.key > other.key ? -1 : 1;
  return one.id > other.id ? -1 : 1;
}

/** Matches the term literally as a substring. */
export function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { dayMicroseconds, epochMicroseconds } from '../../foundation/instant.ts';
import { gramsOfTerms, searchTermsOf } from '../items/search-text.ts';
import type { ItemSpan, ItemsRequest, ListedItem, SearchSlice, TimeSlice } from './item-reading-store.ts';
import { searchItemRows, walkItemRows } from './item-reading-store.ts';

/** A glance at the newest rows; a longer look where the glance met a match in fifty or more. */
const walk = { glanceRows: 500, worthwhileMatches: 10, lookRows: 4_000 } as const;

/**
 * Common terms fill a page from the newest rows alone. The planner cannot tell them from rare ones: it takes a term's
 * grams for independent of each other, expects next to nothing and would fetch every match of a day to sort it. What
 * is too rare for that, the index finds in few enough rows; what came up only just now is not walked after for long.
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
 * Looks through the daily partitions, newest first. Nothing in an older partition can sort before the first instant
 * of a newer one, so as soon as enough rows lie at or above that instant, the older ones need not be asked.
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

/** The partitions' days. The newest has no end: an item may be a little ahead of this machine's clock. */
function daysNewestFirst(span: ItemSpan): readonly TimeSlice[] {
  const days: TimeSlice[] = [];
  let to: EpochMicroseconds | null = null;
  for (let from = startOfDay(span.until); ; from = epochMicroseconds(from - dayMicroseconds)) {
    days.push({ from, to });
    if (from <= span.after) return days;
    to = from;
  }
}

/** For terms of which not even a glance met one: rare enough to ask for the older days together. */
function withRestAtOnce(days: readonly TimeSlice[]): readonly TimeSlice[] {
  const [oldest, alone] = [days.at(-1), days.slice(0, 2)];
  if (oldest === undefined || days.length <= alone.length) return days;
  return [...alone, { from: oldest.from, to: alone.at(-1)?.from ?? null }];
}

function startOfDay(instant: EpochMicroseconds): EpochMicroseconds {
  const into = ((instant % dayMicroseconds) + dayMicroseconds) % dayMicroseconds;
  return epochMicroseconds(instant - into);
}

/** A selected representative may carry a key from before its own day, so days are merged, not appended. */
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

/** The term as a substring and nothing else. */
export function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

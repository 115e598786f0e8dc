import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { hourMicroseconds } from '../../foundation/instant.ts';
import { comparedItems } from '../../record/comparing/index.ts';
import type { NewMatch, ReleasedMatch } from '../searches/match-store.ts';
import { insertMatches, lockProgress, releaseMatches, writeProgress } from '../searches/match-store.ts';
import { findFiledSearches, lockSearches } from '../searches/saved-search-store.ts';
import { filingKeysOf, isMatch } from '../searches/saved-search.ts';

/** Log entries of one transaction. */
const entriesAtOnce = 200;
/** The texts of more items contain most terms, and take long to search. */
const itemsOfText = 5;
/** An older item, as a new source brings many, is no news to anyone. */
const newsHours = 48n;

export interface MatchedChanges {
  readonly items: number;
  readonly matches: readonly ReleasedMatch[];
}

/**
 * Compares the items of the next log entries with the searches filed under their keys, in the caller's transaction. Null
 * where the log has no further entry, or another worker is matching: one does it at a time, so that each entry is read
 * once, and a worker that dies leaves no trace.
 */
export async function matchNextChanges(
  database: Database,
  now: EpochMicroseconds,
): Promise<MatchedChanges | null> {
  const from = await lockProgress(database);
  if (from === null) return null;
  const changes = await comparedItems.readLoggedChanges(database, from, entriesAtOnce);
  if (changes === null) return null;
  const news = changes.items.filter(({ timelineAt }) => timelineAt > now - newsHours * hourMicroseconds);
  const found = await insertMatches(database, await matchesOf(database, news, now), changes.published);
  const released = await releaseMatches(database, changes.stories, now);
  await writeProgress(database, changes.next);
  return { items: news.length, matches: [...found, ...released] };
}

/** Items of a batch share most of their keys: each is looked up once. */
function groupByKey(
  items: readonly comparedItems.ComparedItem[],
): ReadonlyMap<bigint, readonly comparedItems.ComparedItem[]> {
  const byKey = new Map<bigint, comparedItems.ComparedItem[]>();
  for (const item of items) {
    for (const key of new Set(filingKeysOf(item))) {
      const those = byKey.get(key);
      if (those === undefined) byKey.set(key, [item]);
      else those.push(item);
    }
  }
  return byKey;
}

/**
 * All matches of these items. The searches whose terms occur are locked and compared as a whole: otherwise a query that
 * changes meanwhile would get matches of its former words.
 */
async function matchesOf(
  database: Database,
  items: readonly comparedItems.ComparedItem[],
  matchedAt: EpochMicroseconds,
): Promise<readonly NewMatch[]> {
  const itemsByKey = groupByKey(items);
  const text = items.length > itemsOfText ? null : items.map(({ searchText }) => searchText).join('\n');
  const filed = await findFiledSearches(database, [...itemsByKey.keys()], text);
  const found = filed.flatMap(({ id, terms, filedUnder }) =>
    (itemsByKey.get(filedUnder) ?? [])
      .filter(({ searchText }) => terms.every((term) => searchText.includes(term)))
      .map((item) => ({ id, item })),
  );
  const locked = await lockSearches(database, [...new Set(found.map(({ id }) => id))]);
  return found.flatMap(({ id, item }) => {
    const search = locked.get(id);
    if (search === undefined || !isMatch(search.query, item)) return [];
    const { query, isMailed } = search;
    const { storyId, sourceCount } = item;
    const awaitsSources = query.minSources > sourceCount ? query.minSources : null;
    return [
      {
        searchId: id,
        itemId: item.id,
        storyId,
        matchedAt,
        awaitsSources,
        isEarlier: false,
        isToMail: isMailed,
      },
    ];
  });
}

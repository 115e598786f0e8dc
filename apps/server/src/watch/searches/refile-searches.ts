import type { Database } from '../../foundation/database/database.ts';
import { gramsOfTerms } from '../../foundation/search-text.ts';
import { countGrams, readGramFrequencies } from './gram-frequency-store.ts';
import { readFilings, writeFilings } from './saved-search-store.ts';
import { filingKey } from './saved-search.ts';

const itemsSampled = 20_000;
const searchesAtOnce = 1_000;
/** A search moves if another of its grams is this many times as rare. */
const worthMoving = 4;

/**
 * Counts how common grams are in the current news, and files searches whose gram has become common under a rarer one.
 * Returns how many moved. A search is found under either gram, so nothing is missed meanwhile.
 */
export async function refileSearches(database: Database): Promise<number> {
  await database.transaction().execute((transaction) => countGrams(transaction, itemsSampled));
  let moved = 0;
  for (let after: string | null = null; ;) {
    const filings = await readFilings(database, after, searchesAtOnce);
    const grams = filings.flatMap(({ query }) => gramsOfTerms(query.terms));
    const frequencies = await readGramFrequencies(database, [...new Set(grams)]);
    const frequencyOf = (gram: number): number => frequencies.get(gram) ?? 0;
    const better = filings.flatMap((filing) => {
      const { query, filedUnder } = filing;
      const moveTo = filingKey(query, frequencyOf);
      if (moveTo === null || query.terms.length === 0) return [];
      const isWorth = frequencyOf(Number(filedUnder)) > worthMoving * frequencyOf(Number(moveTo));
      return isWorth ? [{ ...filing, moveTo }] : [];
    });
    await writeFilings(database, better);
    moved += better.length;
    if (filings.length < searchesAtOnce) return moved;
    after = filings.at(-1)?.id ?? null;
  }
}

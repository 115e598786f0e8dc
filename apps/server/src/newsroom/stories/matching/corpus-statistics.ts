import { isCommonTerm } from './common-words.ts';
import type { Term } from './entry-terms.ts';

/** The frequency of terms among the items of the window that grouping compares. */
export interface CorpusStatistics {
  readonly items: number;
  /** Number of items that contain the term; 0 if it was never seen. */
  readonly itemsWith: (term: Term) => number;
}

/** A new installation has too few items to know common terms: below this number, rarity is understated. */
const itemsMin = 200;

/** The weight of an everyday word relative to an equally rare name. */
const commonShare = 0.8;

/** 0 for terms in every item, 1 for terms in none; the same scale for a corpus of any size. */
export function rarity(term: Term, { items, itemsWith }: CorpusStatistics): number {
  return rarityAmong(items)(term, itemsWith(term));
}

/** The same for many terms of one corpus. */
export function rarityAmong(items: number): (term: Term, itemsWith: number) => number {
  const scale = Math.log(Math.max(items, itemsMin));
  return (term, itemsWith) => {
    const share = Math.max(0, 1 - Math.log(Math.max(1, itemsWith)) / scale);
    return isCommonTerm(term) ? share * commonShare : share;
  };
}

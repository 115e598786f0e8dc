import { isCommonTerm } from './common-words.ts';
import type { Term } from './entry-terms.ts';

/** How often terms occur among the items of the window that grouping looks at. */
export interface CorpusStatistics {
  readonly items: number;
  /** Number of items that hold the term; 0 where it was never seen. */
  readonly itemsWith: (term: Term) => number;
}

/** A young newsroom has seen too little to tell what is common: below this many items, rarity is understated. */
const itemsMin = 200;

/** What an everyday word counts beside a name that is as rare. */
const commonShare = 0.8;

/** 0 for what every item holds, 1 for what none held; the same scale for a corpus of any size. */
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

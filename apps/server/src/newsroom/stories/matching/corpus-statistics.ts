import { isCommonTerm } from './common-words.ts';
import type { Term } from './entry-terms.ts';

/** How often terms occur among the reports of the window that grouping looks at. */
export interface CorpusStatistics {
  readonly reports: number;
  /** Number of reports that hold the term; 0 where it was never seen. */
  readonly reportsWith: (term: Term) => number;
}

/** A young newsroom has seen too little to tell what is common: below this many reports, rarity is understated. */
const reportsMin = 200;

/** What an everyday word counts beside a name that is as rare. */
const commonShare = 0.8;

/** 0 for what every report holds, 1 for what none held; the same scale for a corpus of any size. */
export function rarity(term: Term, { reports, reportsWith }: CorpusStatistics): number {
  return rarityAmong(reports)(term, reportsWith(term));
}

/** The same for many terms of one corpus. */
export function rarityAmong(reports: number): (term: Term, reportsWith: number) => number {
  const scale = Math.log(Math.max(reports, reportsMin));
  return (term, reportsWith) => {
    const share = Math.max(0, 1 - Math.log(Math.max(1, reportsWith)) / scale);
    return isCommonTerm(term) ? share * commonShare : share;
  };
}

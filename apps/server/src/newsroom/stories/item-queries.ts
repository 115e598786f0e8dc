import { dayMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { CorpusStatistics } from './matching/corpus-statistics.ts';
import { rarity } from './matching/corpus-statistics.ts';
import type { EntryTerms, Term } from './matching/entry-terms.ts';
import { postedTerms } from './matching/entry-terms.ts';
import type { ReadItem } from './matching/reading-groups.ts';
import type { CandidateQuery, ReadingQuery, Span } from './story-index-store.ts';

export const windowDays = 14;
const readingDays = 3;
const queryTermsMax = 24;
/** More common terms find no items that rarer ones miss. */
const rarityMin = 0.2;

/** The index queries of an item. */
export interface ItemQueries {
  readonly reading: ReadingQuery;
  readonly copies: ReadingQuery;
  readonly candidates: CandidateQuery;
}

export function queriesOf(item: ReadItem, at: EpochMicroseconds, statistics: CorpusStatistics): ItemQueries {
  // A roundup joins no story.
  const { roundup } = item.terms;
  return {
    reading: { keys: roundup ? [] : item.readingTerms, ...around(at, readingDays) },
    copies: { keys: roundup ? [] : (item.text?.keys ?? []), ...around(at, windowDays) },
    candidates: { gains: roundup ? [] : gainsOf(item.terms, statistics), ...around(at, windowDays) },
  };
}

function around(at: EpochMicroseconds, days: number): Span {
  return { from: addMs(at, -days * dayMs), to: addMs(at, days * dayMs) };
}

function gainsOf(terms: EntryTerms, statistics: CorpusStatistics): CandidateQuery['gains'] {
  const gains = Array.from(postedTerms(terms), ([term, weight]): readonly [Term, number] => {
    const rare = rarity(term, statistics);
    return [term, rare < rarityMin ? 0 : weight * rare ** 2];
  });
  return gains
    .filter(([, gain]) => gain > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, queryTermsMax);
}

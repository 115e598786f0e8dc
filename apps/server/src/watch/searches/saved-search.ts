import { sha256Bytes } from '../../foundation/hash.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { gramsOfTerms, searchTermsOf } from '../../foundation/search-text.ts';
import type { accounts } from '../../identity/index.ts';
import type { comparedItems } from '../../record/comparing/index.ts';

export type SavedSearchId = Id<'saved search'>;

/** Which items a search finds. */
export interface SearchQuery {
  /** Every term must occur; null: any text. */
  readonly q: string | null;
  /** No term may occur. */
  readonly without: string | null;
  readonly mode: 'selected' | 'all';
  readonly category: string | null;
  readonly source: Id<'source'> | null;
  /** A primary language. */
  readonly language: string | null;
  readonly hiddenSources: readonly Id<'source'>[];
  readonly hiddenCategories: readonly string[];
  /** Independent sources of the item's story. */
  readonly minSources: number;
}

export const mailFrequencies = ['never', 'hourly', 'daily'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];

/** What a person can change. */
export interface SearchSettings {
  readonly name: string;
  readonly query: SearchQuery;
  readonly mail: MailFrequency;
  /** Of the words of mail and feed. */
  readonly wording: ReaderLanguage;
  readonly onFrontPage: boolean;
}

export interface SavedSearch extends SearchSettings {
  readonly id: SavedSearchId;
  readonly accountId: accounts.AccountId;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
}

/** The same query as it is compared. */
export interface ComparedQuery extends Omit<SearchQuery, 'q' | 'without'> {
  readonly terms: readonly string[];
  readonly excludedTerms: readonly string[];
}

export function comparedQuery({ q, without, ...rest }: SearchQuery): ComparedQuery {
  return {
    ...rest,
    terms: q === null ? [] : searchTermsOf(q),
    excludedTerms: without === null ? [] : searchTermsOf(without),
  };
}

/** Whether an item matches, except for the number of sources, which can grow. */
export function isMatch(query: ComparedQuery, item: comparedItems.ComparedItem): boolean {
  const { searchText, category, sourceId, language, selected } = item;
  return (
    (query.mode === 'all' || selected) &&
    (query.category === null || query.category === category) &&
    (query.source === null || query.source === sourceId) &&
    (query.language === null || query.language === language) &&
    !query.hiddenCategories.includes(category) &&
    !query.hiddenSources.includes(sourceId) &&
    query.terms.every((term) => searchText.includes(term)) &&
    !query.excludedTerms.some((term) => searchText.includes(term))
  );
}

/** Of grams, which are 32-bit integers, and above them of sources and categories. */
type FilingKey = bigint;

const aboveGrams = 2n ** 33n;

function keyOf(kind: 'source' | 'category', value: string): FilingKey {
  return aboveGrams + BigInt(sha256Bytes(`${kind} ${value}`).readUIntBE(0, 5));
}

/**
 * What a search is filed under: the gram of its terms that the fewest items contain, or else its source or category. Null
 * if it has none of these: it would have to be compared with every item.
 */
export function filingKey(
  { terms, source, category }: Pick<ComparedQuery, 'terms' | 'source' | 'category'>,
  frequencyOf: (gram: number) => number,
): FilingKey | null {
  const [first, ...others] = gramsOfTerms(terms);
  if (first !== undefined)
    return BigInt(
      others.reduce((one, other) => (frequencyOf(other) < frequencyOf(one) ? other : one), first),
    );
  if (source !== null) return keyOf('source', source);
  return category === null ? null : keyOf('category', category);
}

/** The keys that searches which may match an item are filed under. */
export function filingKeysOf(item: comparedItems.ComparedItem): readonly FilingKey[] {
  return [
    ...item.searchGrams.map((gram) => BigInt(gram)),
    keyOf('source', item.sourceId),
    keyOf('category', item.category),
  ];
}

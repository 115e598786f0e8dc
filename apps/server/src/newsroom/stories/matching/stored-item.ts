import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { rarityAmong } from './corpus-statistics.ts';
import type { Term } from './entry-terms.ts';
import { postedTerms } from './entry-terms.ts';
import type { ReadItem } from './reading-groups.ts';
import type { StoredSketch } from './text-sketch.ts';
import { storeSketch } from './text-sketch.ts';
import type { EntryFacts, IndexedTerms, TextFacts, WeighedEntry } from './weighed-entry.ts';
import { indexedTerms, weighTerms } from './weighed-entry.ts';

type TextPart = Pick<TextFacts, 'quantities'> & {
  readonly companies: readonly string[];
  readonly versions: readonly (readonly [string, readonly string[]])[];
};

/** Incremented whenever the same item would get other terms: items of the index are then read again. */
export const termsVersion = 2;

/** The JSON of an item in the index, with the counts of its terms at its arrival. */
export interface StoredItem extends IndexedTerms {
  /** Of its terms; absent: 1. */
  readonly version?: number;
  readonly languages: readonly ReaderLanguage[];
  readonly counts: readonly number[];
  readonly title: TextPart;
  readonly text: TextPart | null;
  readonly addressKey: string | null;
  readonly at: number | null;
  readonly roundup: boolean;
  readonly signature: ReadItem['signature'];
  /** Absent: its text was too short, or it was indexed before texts were. */
  readonly sketch?: StoredSketch;
}

export function storeItem(item: ReadItem, itemsWith: (term: Term) => number): StoredItem {
  const { terms: entry, signature } = item;
  const held = indexedTerms(entry);
  return {
    version: termsVersion,
    languages: [...entry.languages],
    ...held,
    counts: held.terms.map(itemsWith),
    title: storeText(entry.title),
    text: entry.text === null ? null : storeText(entry.text),
    addressKey: entry.addressKey,
    at: entry.at,
    roundup: entry.roundup,
    signature,
    ...(item.text !== null && { sketch: storeSketch(item.text.sketch) }),
  };
}

export function restoreFacts({ languages, title, text, addressKey, at, roundup }: StoredItem): EntryFacts {
  return {
    languages: new Set(languages),
    title: restoreText(title),
    text: text === null ? null : restoreText(text),
    addressKey,
    at,
    roundup,
  };
}

/** For comparison with a new item: terms of that item with current counts, others with the counts at arrival. */
export function weighStored(stored: StoredItem, item: WeighedEntry, items: number): WeighedEntry {
  const rarityOf = rarityAmong(items);
  return weighTerms(restoreFacts(stored), stored, (term, at) => {
    const there = item.positionOf(term);
    return (there === undefined ? undefined : item.rarity[there]) ?? rarityOf(term, stored.counts[at] ?? 1);
  });
}

/** All index terms of an item. A roundup has none. */
export function allPostedTerms(item: ReadItem): readonly string[] {
  return item.terms.roundup
    ? []
    : [...postedTerms(item.terms).keys(), ...item.readingTerms, ...(item.text?.keys ?? [])];
}

function storeText({ companies, quantities, versions }: TextFacts): TextPart {
  return {
    companies: [...companies],
    quantities,
    versions: Array.from(versions, ([name, known]) => [name, [...known]] as const),
  };
}

function restoreText({ companies, quantities, versions }: TextPart): TextFacts {
  return {
    companies: new Set(companies),
    quantities,
    versions: new Map(versions.map(([name, known]) => [name, new Set(known)])),
  };
}

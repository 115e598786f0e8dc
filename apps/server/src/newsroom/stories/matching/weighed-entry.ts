import type { EntryTerms, Term, TextTerms } from './entry-terms.ts';
import { indexTerms } from './entry-terms.ts';

/** Facts of a text in addition to its terms. */
export type TextFacts = Pick<TextTerms, 'companies' | 'quantities' | 'versions'>;

export interface EntryFacts extends Pick<EntryTerms, 'languages' | 'addressKey' | 'at' | 'roundup'> {
  readonly title: TextFacts;
  readonly text: TextFacts | null;
}

/** The terms of an item in arrays of equal length: an item of the index is compared without building sets. */
export interface IndexedTerms {
  readonly terms: readonly Term[];
  /** For each term, the sum of the `places` that contain it. */
  readonly places: readonly number[];
  /** For each term, its weight in the headline; 0 if absent. */
  readonly weights: readonly number[];
}

export const places = { title: 1, titleName: 2, text: 4, textName: 8 } as const;

export function indexedTerms(entry: EntryTerms): IndexedTerms {
  const { title, text, headline } = entry;
  const terms = [...indexTerms(entry).keys()];
  return {
    terms,
    places: terms.map(
      (term) =>
        (title.terms.has(term) ? places.title : 0) +
        (title.names.has(term) ? places.titleName : 0) +
        (text?.terms.has(term) === true ? places.text : 0) +
        (text?.names.has(term) === true ? places.textName : 0),
    ),
    weights: terms.map((term) => headline.get(term) ?? 0),
  };
}

export const fields = ['title', 'headline', 'text'] as const;
export type Field = (typeof fields)[number];

/** Of each field the sum of its terms' weights, and of their squares. */
export type FieldSizes = Readonly<Record<Field, FieldSize>>;

interface FieldSize {
  readonly sum: number;
  readonly squares: number;
}

/** An item with the rarity of its terms looked up once, for comparison with many. */
export interface WeighedEntry extends IndexedTerms {
  readonly facts: EntryFacts;
  /** For each term. */
  readonly rarity: Float64Array;
  /** The position of a term in the arrays. */
  readonly positionOf: (term: Term) => number | undefined;
  /** The positions of the names. */
  readonly names: readonly number[];
  /** Words and Chinese bigrams of the title. */
  readonly titleWords: number;
  /** The weights of its fields alone, within a language and across. */
  readonly sizes: Readonly<Record<'plain' | 'neutral', FieldSizes>>;
}

export function weighTerms(
  facts: EntryFacts,
  { terms, places: held, weights }: IndexedTerms,
  rarityOf: (term: Term, at: number) => number,
): WeighedEntry {
  const rarity = new Float64Array(terms.length);
  const sizes = { plain: noSizes(), neutral: noSizes() };
  const names: number[] = [];
  let titleWords = 0;
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as Term;
    const place = held[at] as number;
    const weight = weights[at] as number;
    const rare = rarityOf(term, at);
    rarity[at] = rare;
    if ((place & (places.titleName | places.textName)) > 0) names.push(at);
    if (isPlain(term)) {
      addTo(sizes.plain, place, weight, rare);
      if ((place & places.title) > 0) titleWords += 1;
    }
    if (isNeutral(term)) addTo(sizes.neutral, place, weight, rare);
  }
  return {
    facts,
    terms,
    places: held,
    weights,
    rarity,
    positionOf: positions(terms),
    names,
    titleWords,
    sizes,
  };
}

type Sizes = Record<Field, { sum: number; squares: number }>;

function noSizes(): Sizes {
  return {
    title: { sum: 0, squares: 0 },
    headline: { sum: 0, squares: 0 },
    text: { sum: 0, squares: 0 },
  };
}

function addTo({ title, headline, text }: Sizes, place: number, weight: number, rare: number): void {
  const squares = rare * rare;
  headline.sum += weight * rare;
  headline.squares += weight * weight * squares;
  if ((place & places.title) > 0) {
    title.sum += rare;
    title.squares += squares;
  }
  if ((place & places.text) > 0) {
    text.sum += rare;
    text.squares += squares;
  }
}

/** Of two compared items, only one needs the table: it is built on first use. */
function positions(terms: readonly Term[]): (term: Term) => number | undefined {
  let known: Map<Term, number> | undefined;
  return (term) => {
    known ??= new Map(terms.map((one, at) => [one, at] as const));
    return known.get(term);
  };
}

/** Words and Chinese bigrams, for comparing texts of one language. */
export function isPlain(term: Term): boolean {
  return term.startsWith('w') || term.startsWith('h');
}

/** Terms that both languages can contain: Latin words, names, concepts, figures. */
export function isNeutral(term: Term): boolean {
  return !(term.startsWith('h') || term.startsWith('p'));
}

import type { CorpusStatistics } from './corpus-statistics.ts';
import { rarity } from './corpus-statistics.ts';
import type { EntryTerms, Term, TextTerms } from './entry-terms.ts';
import { kindOfTerm, sharesVersion } from './entry-terms.ts';
import { sameQuantity } from './quantities.ts';

/** What is measured of two headlines: title and address. */
export const headlineFeatureNames = [
  'titleCosine',
  'fullCosine',
  'titleContainment',
  'fullContainment',
  'sharedRarity',
  'rarest',
  'secondRarest',
  'nameRarity',
  'phraseRarity',
  'conceptRarity',
  'quantityMatch',
  'quantityClash',
  'versionMatch',
  'versionClash',
  'unmatchedNames',
  'companyClash',
  'daysApart',
  'daysApartRoot',
  'timeUnknown',
  'sameAddress',
  'briefTitle',
] as const;

/** What is measured beside that where both have a summary; all zero where one has none. */
export const textFeatureNames = [
  'textPresent',
  'textCosine',
  'textContainment',
  'textNameRarity',
  'textUnmatchedNames',
  'textCompanyClash',
  'textQuantityMatch',
  'textQuantityClash',
  'textVersionMatch',
  'textVersionClash',
  'textDaysApart',
  'textCompanyMatch',
  'textConceptRarity',
] as const;

export const featureNames = [...headlineFeatureNames, ...textFeatureNames] as const;
type HeadlineFeatures = Readonly<Record<(typeof headlineFeatureNames)[number], number>>;
type TextFeatures = Readonly<Record<(typeof textFeatureNames)[number], number>>;
export type FeatureName = (typeof featureNames)[number];
export type PairFeatures = HeadlineFeatures & TextFeatures;

/** Which weights judge a pair: both English, both Chinese, or one of each. */
export type PairLanguages = 'en' | 'zh' | 'cross';

const millisecondsPerDay = 86_400_000;
const daysMax = 14;

export function pairLanguages(
  { languages: one }: EntryTerms,
  { languages: other }: EntryTerms,
): PairLanguages {
  if (one.has('en') && other.has('en')) return 'en';
  return one.has('zh') && other.has('zh') ? 'zh' : 'cross';
}

/** A report with the rarity of its terms looked up once, to be compared with many. */
export interface WeighedEntry {
  readonly terms: EntryTerms;
  readonly rarity: ReadonlyMap<Term, number>;
  /** What its fields weigh by themselves, within a language and across. */
  readonly sizes: Readonly<Record<'plain' | 'neutral', FieldSizes>>;
}

/** Of each field the sum of its terms' weights, and of their squares. */
type FieldSizes = Readonly<Record<Field, { readonly sum: number; readonly squares: number }>>;

export function weighEntry(terms: EntryTerms, statistics: CorpusStatistics): WeighedEntry {
  const weighed = new Map<Term, number>();
  for (const term of terms.headline.keys()) weighed.set(term, rarity(term, statistics));
  for (const term of terms.text?.terms ?? [])
    if (!weighed.has(term)) weighed.set(term, rarity(term, statistics));
  const sizes = {
    plain: fieldSizes(terms, weighed, isPlain),
    neutral: fieldSizes(terms, weighed, isNeutral),
  };
  return { terms, rarity: weighed, sizes };
}

function fieldSizes(
  terms: EntryTerms,
  weighed: ReadonlyMap<Term, number>,
  counts: (term: Term) => boolean,
): FieldSizes {
  const sizes = {
    title: { sum: 0, squares: 0 },
    headline: { sum: 0, squares: 0 },
    text: { sum: 0, squares: 0 },
  };
  for (const [term, rare] of weighed) {
    if (!counts(term)) continue;
    for (const field of fields) {
      const weight = fieldWeight(terms, field, term) * rare;
      sizes[field].sum += weight;
      sizes[field].squares += weight * weight;
    }
  }
  return sizes;
}

export function pairFeatures(one: WeighedEntry, other: WeighedEntry): PairFeatures {
  const cross = pairLanguages(one.terms, other.terms) === 'cross';
  const { title, headline, text } = overlaps(one, other, cross);
  return { ...headlineFeatures(one, other, title, headline), ...textFeatures(one, other, text) };
}

function headlineFeatures(
  one: WeighedEntry,
  other: WeighedEntry,
  title: Overlap,
  full: Overlap,
): HeadlineFeatures {
  const shared = sharedTerms(one, other);
  const plain = shared.filter(({ term }) => isPlain(term)).map(({ rare }) => rare);
  plain.sort((a, b) => b - a);
  const ofKind = (kind: string): number =>
    saturate(sum(shared.filter(({ term }) => kindOfTerm(term) === kind).map(({ rare }) => rare)));
  const [here, there] = [one.terms.title, other.terms.title];
  return {
    titleCosine: title.cosine,
    fullCosine: full.cosine,
    titleContainment: title.containment,
    fullContainment: full.containment,
    sharedRarity: saturate(sum(plain) / 2),
    rarest: plain[0] ?? 0,
    secondRarest: plain[1] ?? 0,
    nameRarity: sharedNameRarity(
      one,
      here,
      (term) => there.names.has(term) || other.terms.headline.has(term),
    ),
    phraseRarity: ofKind('p'),
    conceptRarity: ofKind('k'),
    ...withoutCorrected(figureFeatures(here, there), one.terms, other.terms),
    unmatchedNames: Math.min(
      rarestUnmatched(one, here, (term) => other.terms.headline.has(term)),
      rarestUnmatched(other, there, (term) => one.terms.headline.has(term)),
    ),
    companyClash: companyClash(here, there),
    ...timeFeatures(one.terms.at, other.terms.at),
    sameAddress: Number(one.terms.addressKey !== null && one.terms.addressKey === other.terms.addressKey),
    briefTitle: 1 / Math.max(2, Math.min(countPlain(here), countPlain(there))),
  };
}

const noText = Object.fromEntries(textFeatureNames.map((name) => [name, 0])) as TextFeatures;

function textFeatures(one: WeighedEntry, other: WeighedEntry, text: Overlap): TextFeatures {
  const [here, there] = [one.terms.text, other.terms.text];
  if (here === null || there === null) return noText;
  const figures = figureFeatures(here, there);
  return {
    textPresent: 1,
    textCosine: text.cosine,
    textContainment: text.containment,
    textNameRarity: sharedNameRarity(one, here, (term) => there.terms.has(term)),
    textUnmatchedNames: Math.min(
      rarestUnmatched(one, here, (term) => there.terms.has(term)),
      rarestUnmatched(other, there, (term) => here.terms.has(term)),
    ),
    textCompanyClash: companyClash(here, there),
    textQuantityMatch: figures.quantityMatch,
    textQuantityClash: figures.quantityClash,
    textVersionMatch: figures.versionMatch,
    textVersionClash: figures.versionClash,
    textDaysApart: timeFeatures(one.terms.at, other.terms.at).daysApart,
    textCompanyMatch: Math.min(2, here.companies.intersection(there.companies).size),
    textConceptRarity: sharedConcepts(one, here, there),
  };
}

function sharedConcepts(entry: WeighedEntry, here: TextTerms, there: TextTerms): number {
  let total = 0;
  for (const term of here.terms) {
    if (kindOfTerm(term) === 'k' && there.terms.has(term)) total += entry.rarity.get(term) ?? 0;
  }
  return saturate(total);
}

interface SharedTerm {
  readonly term: Term;
  /** Rarity times the smaller of the two fields' weights. */
  readonly rare: number;
}

function sharedTerms(one: WeighedEntry, other: WeighedEntry): readonly SharedTerm[] {
  const shared: SharedTerm[] = [];
  for (const [term, weight] of one.terms.headline) {
    const there = other.terms.headline.get(term);
    if (there === undefined) continue;
    shared.push({ term, rare: Math.min(weight, there) * (one.rarity.get(term) ?? 0) });
  }
  return shared;
}

const fields = ['title', 'headline', 'text'] as const;
type Field = (typeof fields)[number];

function fieldWeight({ title, headline, text }: EntryTerms, field: Field, term: Term): number {
  if (field === 'headline') return headline.get(term) ?? 0;
  const held = field === 'title' ? title : text;
  return held?.terms.has(term) === true ? 1 : 0;
}

interface Overlap {
  readonly cosine: number;
  readonly containment: number;
}

/** Over words and Chinese bigrams; between languages over what both can hold: Latin words, names, concepts, figures. */
function overlaps(one: WeighedEntry, other: WeighedEntry, cross: boolean): Readonly<Record<Field, Overlap>> {
  const counts = cross ? isNeutral : isPlain;
  const products = { title: 0, headline: 0, text: 0 };
  const sums = { title: 0, headline: 0, text: 0 };
  for (const [term, rare] of one.rarity) {
    if (!other.rarity.has(term) || !counts(term)) continue;
    for (const field of fields) {
      const mine = fieldWeight(one.terms, field, term) * rare;
      const theirs = mine === 0 ? 0 : fieldWeight(other.terms, field, term) * rare;
      products[field] += mine * theirs;
      sums[field] += Math.min(mine, theirs);
    }
  }
  const scope = cross ? 'neutral' : 'plain';
  const overlapOf = (field: Field): Overlap => {
    const [here, there] = [one.sizes[scope][field], other.sizes[scope][field]];
    const smaller = Math.min(here.sum, there.sum);
    const lengths = here.squares * there.squares;
    return {
      cosine: lengths === 0 ? 0 : products[field] / Math.sqrt(lengths),
      containment: smaller === 0 ? 0 : sums[field] / smaller,
    };
  };
  return { title: overlapOf('title'), headline: overlapOf('headline'), text: overlapOf('text') };
}

function isPlain(term: Term): boolean {
  const kind = kindOfTerm(term);
  return kind === 'w' || kind === 'h';
}

function isNeutral(term: Term): boolean {
  const kind = kindOfTerm(term);
  return kind === 'w' || kind === 'e' || kind === 'k' || kind === 'n';
}

function countPlain({ terms }: TextTerms): number {
  let count = 0;
  for (const term of terms) if (isPlain(term)) count += 1;
  return count;
}

function sharedNameRarity(
  entry: WeighedEntry,
  { names }: TextTerms,
  isThere: (term: Term) => boolean,
): number {
  let total = 0;
  for (const term of names) if (isThere(term)) total += entry.rarity.get(term) ?? 0;
  return saturate(total);
}

/** How rare the rarest name is that the other does not hold. */
function rarestUnmatched(
  entry: WeighedEntry,
  { names }: TextTerms,
  isThere: (term: Term) => boolean,
): number {
  let rarest = 0;
  for (const term of names) if (!isThere(term)) rarest = Math.max(rarest, entry.rarity.get(term) ?? 0);
  return rarest;
}

/** Both name companies, and not one is the same. */
function companyClash({ companies: one }: TextTerms, { companies: other }: TextTerms): number {
  return Number(one.size > 0 && other.size > 0 && one.isDisjointFrom(other));
}

/** An amount of money or a date that two texts share tells more than a bare number. */
const unitMatch = 1.5;
const bareMatch = 0.7;

type FigureFeatures = Pick<
  HeadlineFeatures,
  'quantityMatch' | 'quantityClash' | 'versionMatch' | 'versionClash'
>;

function figureFeatures(one: TextTerms, other: TextTerms): FigureFeatures {
  const comparable = one.quantities.some(({ unit }) => other.quantities.some((there) => there.unit === unit));
  const matches = Math.min(2, matchedQuantities(one, other), matchedQuantities(other, one));
  let [sameVersions, otherVersions] = [0, 0];
  for (const [name, versions] of one.versions) {
    const there = other.versions.get(name);
    if (there === undefined) continue;
    if (sharesVersion(versions, there)) sameVersions += 1;
    else otherVersions += 1;
  }
  return {
    quantityMatch: matches,
    quantityClash: Number(comparable && matches === 0),
    versionMatch: Math.min(1, sameVersions),
    versionClash: Number(otherVersions > 0 && sameVersions === 0),
  };
}

/** Titles whose figures differ do not clash where one report's text names the figure of the other's title: it corrects it. */
function withoutCorrected(figures: FigureFeatures, one: EntryTerms, other: EntryTerms): FigureFeatures {
  if (figures.quantityClash === 0) return figures;
  const names = ({ text }: EntryTerms, { title }: EntryTerms): boolean =>
    text !== null && matchedQuantities(title, text) > 0;
  return names(one, other) || names(other, one) ? { ...figures, quantityClash: 0 } : figures;
}

function matchedQuantities(one: TextTerms, other: TextTerms): number {
  const matched = one.quantities.filter((here) =>
    other.quantities.some((there) => sameQuantity(here, there)),
  );
  return sum(matched.map(({ unit }) => (unit === 'count' ? bareMatch : unitMatch)));
}

function timeFeatures(
  one: number | null,
  other: number | null,
): Pick<HeadlineFeatures, 'daysApart' | 'daysApartRoot' | 'timeUnknown'> {
  if (one === null || other === null) return { daysApart: 0, daysApartRoot: 0, timeUnknown: 1 };
  const days = Math.min(Math.abs(one - other) / millisecondsPerDay, daysMax);
  return { daysApart: days, daysApartRoot: Math.sqrt(days), timeUnknown: 0 };
}

/** The first rare term tells much, the fifth little. */
function saturate(value: number): number {
  return 1 - Math.exp(-value);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

import { dayMs } from '../../../foundation/clock.ts';
import { sameFigure } from '../../../language/headline-figures.ts';
import type { CorpusStatistics } from './corpus-statistics.ts';
import { rarityAmong } from './corpus-statistics.ts';
import type { EntryTerms, Term } from './entry-terms.ts';
import { kindOfTerm, sharesVersion } from './entry-terms.ts';
import type { EntryFacts, Field, TextFacts, WeighedEntry } from './weighed-entry.ts';
import { indexedTerms, isNeutral, isPlain, places, weighTerms } from './weighed-entry.ts';

/** Features of two headlines: title and address. */
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

/** Additional features if both have a summary; all zero otherwise. */
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

/** The weights for a pair: both English, both Chinese, or one of each. */
export type PairLanguages = 'en' | 'zh' | 'cross';

const daysMax = 14;

export function pairLanguages(
  { languages: one }: Pick<EntryTerms, 'languages'>,
  { languages: other }: Pick<EntryTerms, 'languages'>,
): PairLanguages {
  if (one.has('en') && other.has('en')) return 'en';
  return one.has('zh') && other.has('zh') ? 'zh' : 'cross';
}

export function weighEntry(entry: EntryTerms, statistics: CorpusStatistics): WeighedEntry {
  const rarityOf = rarityAmong(statistics.items);
  return weighTerms(entry, indexedTerms(entry), (term) => rarityOf(term, statistics.itemsWith(term)));
}

export function pairFeatures(one: WeighedEntry, other: WeighedEntry): PairFeatures {
  const shared = compareTerms(one, other);
  return { ...headlineFeatures(one, other, shared), ...textFeatures(one, other, shared) };
}

function headlineFeatures(one: WeighedEntry, other: WeighedEntry, shared: SharedTerms): HeadlineFeatures {
  const { title, headline } = shared.overlaps;
  const plain = shared.words.sort((a, b) => b - a);
  const [here, there] = [one.facts, other.facts];
  return {
    titleCosine: title.cosine,
    fullCosine: headline.cosine,
    titleContainment: title.containment,
    fullContainment: headline.containment,
    sharedRarity: saturate(sum(plain) / 2),
    rarest: plain[0] ?? 0,
    secondRarest: plain[1] ?? 0,
    nameRarity: saturate(shared.title.names),
    phraseRarity: saturate(shared.phrases),
    conceptRarity: saturate(shared.title.concepts),
    ...withoutCorrected(figureFeatures(here.title, there.title), here, there),
    unmatchedNames: shared.title.unmatched,
    companyClash: companyClash(here.title, there.title),
    ...timeFeatures(here.at, there.at),
    sameAddress: Number(here.addressKey !== null && here.addressKey === there.addressKey),
    briefTitle: 1 / Math.max(2, Math.min(one.titleWords, other.titleWords)),
  };
}

const noText = Object.fromEntries(textFeatureNames.map((name) => [name, 0])) as TextFeatures;

function textFeatures(one: WeighedEntry, other: WeighedEntry, shared: SharedTerms): TextFeatures {
  const [here, there] = [one.facts.text, other.facts.text];
  if (here === null || there === null) return noText;
  const { text } = shared.overlaps;
  const figures = figureFeatures(here, there);
  return {
    textPresent: 1,
    textCosine: text.cosine,
    textContainment: text.containment,
    textNameRarity: saturate(shared.text.names),
    textUnmatchedNames: shared.text.unmatched,
    textCompanyClash: companyClash(here, there),
    textQuantityMatch: figures.quantityMatch,
    textQuantityClash: figures.quantityClash,
    textVersionMatch: figures.versionMatch,
    textVersionClash: figures.versionClash,
    textDaysApart: timeFeatures(one.facts.at, other.facts.at).daysApart,
    textCompanyMatch: Math.min(2, here.companies.intersection(there.companies).size),
    textConceptRarity: saturate(shared.text.concepts),
  };
}

interface Overlap {
  readonly cosine: number;
  readonly containment: number;
}

/** The common names and concepts of two titles, or of two texts. */
interface SharedNames {
  names: number;
  concepts: number;
  /** The rarity of the rarest name that the other does not contain: the smaller of the two. */
  unmatched: number;
}

interface SharedTerms {
  readonly overlaps: Readonly<Record<Field, Overlap>>;
  /** For each word in both headlines: rarity times the smaller of its two weights. */
  readonly words: number[];
  /** The sum of the same for pairs of words. */
  readonly phrases: number;
  readonly title: SharedNames;
  readonly text: SharedNames;
}

/** One pass over the terms of the other, which need not be looked up by name. */
function compareTerms(one: WeighedEntry, other: WeighedEntry): SharedTerms {
  const cross = pairLanguages(one.facts, other.facts) === 'cross';
  const counts = cross ? isNeutral : isPlain;
  const overlap = new OverlapSums();
  const names = new NameSums();
  const words: number[] = [];
  let phrases = 0;
  for (let there = 0; there < other.terms.length; there += 1) {
    const term = other.terms[there] as Term;
    const otherPlace = other.places[there] as number;
    const otherWeight = other.weights[there] as number;
    const here = one.positionOf(term);
    const place = here === undefined ? 0 : (one.places[here] as number);
    const weight = here === undefined ? 0 : (one.weights[here] as number);
    names.addOther(place, weight, otherPlace, other.rarity[there] as number);
    if (here === undefined) continue;
    const rare = one.rarity[here] as number;
    const both = Math.min(weight, otherWeight) * rare;
    if (counts(term)) overlap.add(place & otherPlace, weight, otherWeight, rare);
    if (both > 0 && isPlain(term)) words.push(both);
    if (kindOfTerm(term) === 'p') phrases += both;
    names.addShared({ here, place, weight }, otherPlace, otherWeight, rare);
    if (kindOfTerm(term) === 'k') names.addConcept(place & otherPlace, both, rare);
  }
  const scope = cross ? 'neutral' : 'plain';
  return {
    overlaps: overlap.overlaps(one.sizes[scope], other.sizes[scope]),
    words,
    phrases,
    ...names.sums(one),
  };
}

/** Over words and Chinese bigrams; between languages over language-neutral terms. */
class OverlapSums {
  private readonly products = { title: 0, headline: 0, text: 0 };
  private readonly sums = { title: 0, headline: 0, text: 0 };

  add(bothPlaces: number, weight: number, otherWeight: number, rare: number): void {
    const square = rare * rare;
    this.products.headline += weight * otherWeight * square;
    this.sums.headline += Math.min(weight, otherWeight) * rare;
    if ((bothPlaces & places.title) > 0) {
      this.products.title += square;
      this.sums.title += rare;
    }
    if ((bothPlaces & places.text) > 0) {
      this.products.text += square;
      this.sums.text += rare;
    }
  }

  overlaps(here: WeighedEntry['sizes']['plain'], there: WeighedEntry['sizes']['plain']) {
    const overlapOf = (field: Field): Overlap => {
      const smaller = Math.min(here[field].sum, there[field].sum);
      const lengths = here[field].squares * there[field].squares;
      return {
        cosine: lengths === 0 ? 0 : this.products[field] / Math.sqrt(lengths),
        containment: smaller === 0 ? 0 : this.sums[field] / smaller,
      };
    };
    return { title: overlapOf('title'), headline: overlapOf('headline'), text: overlapOf('text') };
  }
}

class NameSums {
  private readonly title: SharedNames = { names: 0, concepts: 0, unmatched: 0 };
  private readonly text: SharedNames = { names: 0, concepts: 0, unmatched: 0 };
  private readonly matchedInTitle = new Set<number>();
  private readonly matchedInText = new Set<number>();

  /** A term of the other, with its place in this item: no place and no weight if absent. */
  addOther(place: number, weight: number, otherPlace: number, rare: number): void {
    if ((otherPlace & places.titleName) > 0 && weight === 0)
      this.title.unmatched = Math.max(this.title.unmatched, rare);
    if ((otherPlace & places.textName) > 0 && (place & places.text) === 0)
      this.text.unmatched = Math.max(this.text.unmatched, rare);
  }

  /** A term of both, which may be a name in only one of them. */
  addShared(
    { here, place, weight }: { readonly here: number; readonly place: number; readonly weight: number },
    otherPlace: number,
    otherWeight: number,
    rare: number,
  ): void {
    const isNameHere = (place & places.titleName) > 0 && otherWeight > 0;
    const isNameThere = (otherPlace & places.titleName) > 0 && weight > 0;
    if (isNameHere || isNameThere) this.title.names += rare;
    if (isNameHere) this.matchedInTitle.add(here);
    const isTextNameHere = (place & places.textName) > 0 && (otherPlace & places.text) > 0;
    const isTextNameThere = (otherPlace & places.textName) > 0 && (place & places.text) > 0;
    if (isTextNameHere || isTextNameThere) this.text.names += rare;
    if (isTextNameHere) this.matchedInText.add(here);
  }

  addConcept(bothPlaces: number, inHeadline: number, rare: number): void {
    this.title.concepts += inHeadline;
    if ((bothPlaces & places.text) > 0) this.text.concepts += rare;
  }

  sums({ names, places: held, rarity }: WeighedEntry): Pick<SharedTerms, 'title' | 'text'> {
    let [inTitle, inText] = [0, 0];
    for (const at of names) {
      const [place, rare] = [held[at] ?? 0, rarity[at] ?? 0];
      if ((place & places.titleName) > 0 && !this.matchedInTitle.has(at)) inTitle = Math.max(inTitle, rare);
      if ((place & places.textName) > 0 && !this.matchedInText.has(at)) inText = Math.max(inText, rare);
    }
    return {
      title: { ...this.title, unmatched: Math.min(this.title.unmatched, inTitle) },
      text: { ...this.text, unmatched: Math.min(this.text.unmatched, inText) },
    };
  }
}

/** Both name companies, and none is the same. */
function companyClash({ companies: one }: TextFacts, { companies: other }: TextFacts): number {
  return Number(one.size > 0 && other.size > 0 && one.isDisjointFrom(other));
}

/** A shared amount of money or date is stronger evidence than a bare number. */
const unitMatch = 1.5;
const bareMatch = 0.7;

type FigureFeatures = Pick<
  HeadlineFeatures,
  'quantityMatch' | 'quantityClash' | 'versionMatch' | 'versionClash'
>;

function figureFeatures(one: TextFacts, other: TextFacts): FigureFeatures {
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

/** Different figures in titles do not clash if one item's text contains the figure of the other's title: it corrects it. */
function withoutCorrected(figures: FigureFeatures, one: EntryFacts, other: EntryFacts): FigureFeatures {
  if (figures.quantityClash === 0) return figures;
  const names = ({ text }: EntryFacts, { title }: EntryFacts): boolean =>
    text !== null && matchedQuantities(title, text) > 0;
  return names(one, other) || names(other, one) ? { ...figures, quantityClash: 0 } : figures;
}

function matchedQuantities(one: TextFacts, other: TextFacts): number {
  const matched = one.quantities.filter((here) => other.quantities.some((there) => sameFigure(here, there)));
  return sum(matched.map(({ unit }) => (unit === 'count' ? bareMatch : unitMatch)));
}

function timeFeatures(
  one: number | null,
  other: number | null,
): Pick<HeadlineFeatures, 'daysApart' | 'daysApartRoot' | 'timeUnknown'> {
  if (one === null || other === null) return { daysApart: 0, daysApartRoot: 0, timeUnknown: 1 };
  const days = Math.min(Math.abs(one - other) / dayMs, daysMax);
  return { daysApart: days, daysApartRoot: Math.sqrt(days), timeUnknown: 0 };
}

/** The first rare term adds much, the fifth little. */
function saturate(value: number): number {
  return 1 - Math.exp(-value);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

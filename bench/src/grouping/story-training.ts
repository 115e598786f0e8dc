import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { AliasTable } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { aliasTable, builtInAliases } from '../../../apps/server/src/newsroom/stories/matching/aliases.ts';
import { rarity } from '../../../apps/server/src/newsroom/stories/matching/corpus-statistics.ts';
import type { EntryTerms } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import { indexTerms } from '../../../apps/server/src/newsroom/stories/matching/entry-terms.ts';
import type {
  FeatureName,
  PairFeatures,
  PairLanguages,
} from '../../../apps/server/src/newsroom/stories/matching/pair-features.ts';
import {
  featureNames,
  headlineFeatureNames,
  pairFeatures,
  pairLanguages,
  textFeatureNames,
  weighEntry,
} from '../../../apps/server/src/newsroom/stories/matching/pair-features.ts';
import type { PairWeights } from '../../../apps/server/src/newsroom/stories/matching/story-model.ts';
import { TermCounts, termsByItem } from './group-set.ts';
import type { LabelledItem, LabelledSet } from './labelled-set.ts';
import { fitLogistic } from './logistic-fit.ts';
import { newswireSet } from './newswire-set.ts';
import type { PairLabelSet } from './pair-labels.ts';

/** A pair to learn from. */
export interface TrainingPair {
  readonly languages: PairLanguages;
  readonly features: PairFeatures;
  readonly positive: boolean;
  readonly weight: number;
  /** For cross-validation: pairs of one span of days, or of neighbouring rows, are held out together. */
  readonly fold: number;
}

export const foldCount = 5;
const daysPerFold = 3;
const rowsPerFold = 60;
const labelsPerFold = 25;
/** Rarity is counted over at least this many days around a pair. */
const statisticsDaysMin = 3;

/** Lists of papers, code and tutorials: thousands of titles that are not news and would thin out the counts. */
const listingSources: ReadonlySet<string> = new Set([
  'arxiv.org',
  'github.com',
  'producthunt.com',
  'towardsdatascience.com',
  'aws_ml_blog',
  'dev.to',
  'uk_dsit_ai',
]);

export function isListing({ source }: LabelledItem): boolean {
  return listingSources.has(source ?? '');
}

export function dayOf({ at }: LabelledItem): number {
  return Math.floor((at ?? 0) / dayMs);
}

export function foldOfDay(day: number): number {
  return Math.floor(day / daysPerFold) % foldCount;
}

/** Pairs that a person labelled. Almost all Chinese pairs of the AI news are of one source and unrelated: they count half. */
export function labelledPairs(set: PairLabelSet, aliases: AliasTable): readonly TrainingPair[] {
  const termsOf = termsByItem(aliases);
  const news = Map.groupBy(
    set.items.filter((item) => !isListing(item)),
    dayOf,
  );
  const counted = new Map<string, TermCounts>();
  const countsOf = (from: number, to: number): TermCounts => {
    const key = `${from}-${to}`;
    const days = Array.from({ length: to - from + 1 }, (_, at) => news.get(from + at) ?? []);
    const counts = counted.get(key) ?? new TermCounts(days.flat().map(termsOf));
    counted.set(key, counts);
    return counts;
  };
  const isHotlist = set.name.startsWith('hotlists');
  return set.pairs.flatMap(({ earlier, later, label }, at): readonly TrainingPair[] => {
    const [one, other] = [termsOf(earlier), termsOf(later)];
    if (one.roundup || other.roundup) return [];
    const to = Math.max(dayOf(earlier), dayOf(later));
    const from = Math.min(dayOf(earlier), dayOf(later), to - statisticsDaysMin + 1);
    const counts = countsOf(from, to);
    const languages = pairLanguages(one, other);
    return [
      {
        languages,
        features: pairFeatures(weighEntry(one, counts), weighEntry(other, counts)),
        positive: label === 'same-fact' || label === 'same-story',
        weight: languages === 'zh' && !isHotlist ? 0.5 : 1,
        fold: isHotlist ? Math.floor(at / labelsPerFold) % foldCount : foldOfDay(dayOf(later)),
      },
    ];
  });
}

/** Every pair of a labelled set within its window. */
export function windowPairs(set: LabelledSet, aliases: AliasTable): readonly TrainingPair[] {
  const terms = set.items.map(termsByItem(aliases));
  const counts = new TermCounts(terms);
  const weighed = terms.map((entry) => weighEntry(entry, counts));
  return weighed.flatMap((later, row) =>
    weighed.slice(Math.max(0, row - set.windowRows), row).flatMap((earlier, at): readonly TrainingPair[] => {
      const features = pairFeatures(earlier, later);
      const before = set.items[Math.max(0, row - set.windowRows) + at];
      const positive = before?.story === set.items[row]?.story;
      // Pairs that share almost no terms are no candidates.
      if (!positive && features.sharedRarity < 0.05) return [];
      const languages = pairLanguages(earlier.facts, later.facts);
      return [{ languages, features, positive, weight: 1, fold: Math.floor(row / rowsPerFold) % foldCount }];
    }),
  );
}

const newswireSeeds = [101, 102, 103] as const;
const neighboursPerDispatch = 10;

/** Pairs with summaries, from simulated worlds that are not the one that is scored; the last without its names known. */
export function newswirePairs(): readonly TrainingPair[] {
  return newswireSeeds.flatMap((seed, world) => {
    const { set, aliases } = newswireSet({ seed, days: 10, itemsPerDay: 100 });
    const known = world + 1 < newswireSeeds.length ? aliases : [];
    const terms = set.items.map(termsByItem(aliasTable([...builtInAliases(), ...known])));
    const counts = new TermCounts(terms);
    const weighed = terms.map((entry) => weighEntry(entry, counts));
    return nearestBefore(terms, counts).flatMap((nearest, row) =>
      nearest.map((earlier): TrainingPair => {
        const [one, other] = [weighed[earlier], weighed[row]] as [
          (typeof weighed)[number],
          (typeof weighed)[number],
        ];
        const positive = set.items[earlier]?.story === set.items[row]?.story;
        const languages = pairLanguages(one.facts, other.facts);
        return { languages, features: pairFeatures(one, other), positive, weight: 1, fold: 0 };
      }),
    );
  });
}

function nearestBefore(terms: readonly EntryTerms[], counts: TermCounts): readonly (readonly number[])[] {
  const postings = new Map<string, number[]>();
  return terms.map((entry, row) => {
    const scores = new Map<number, number>();
    for (const [term, weight] of indexTerms(entry)) {
      const rare = rarity(term, counts);
      if (!entry.roundup && !term.startsWith('k:') && rare > 0.3) {
        for (const earlier of postings.get(term) ?? []) {
          scores.set(earlier, (scores.get(earlier) ?? 0) + weight * rare ** 2);
        }
      }
      if (!entry.roundup) postings.set(term, [...(postings.get(term) ?? []), row]);
    }
    const ranked = [...scores].sort(([, one], [, other]) => other - one);
    return ranked.slice(0, neighboursPerDispatch).map(([earlier]) => earlier);
  });
}

export type StoryPairWeights = Readonly<Record<PairLanguages, PairWeights>>;

const penalty = 3;
/** Chinese pairs have few labels in our own field: their weights stay near the English ones. */
const chinesePenalty = 10;
const textPenalty = 1;

/** Weights of headlines from people's labels. */
export function fitHeadlines(pairs: readonly TrainingPair[]): StoryPairWeights {
  const fit = (languages: PairLanguages, strength: number, prior?: readonly number[]): PairWeights => {
    const examples = pairs
      .filter((pair) => pair.languages === languages)
      .map(({ features, positive, weight }) => ({
        values: headlineFeatureNames.map((name) => features[name]),
        positive,
        weight,
      }));
    const { bias, weights } = fitLogistic(examples, strength, prior);
    return { bias, weights: namedWeights(headlineFeatureNames, weights) };
  };
  const en = fit('en', penalty);
  const zh = fit(
    'zh',
    chinesePenalty,
    headlineFeatureNames.map((name) => en.weights[name]),
  );
  return { en, zh, cross: fit('cross', penalty) };
}

/** Training with summaries; the weights of headlines are fixed. */
export function fitTexts(pairs: readonly TrainingPair[], headlines: StoryPairWeights): StoryPairWeights {
  const [present, ...others] = textFeatureNames;
  const fit = (languages: PairLanguages): PairWeights => {
    const known = headlines[languages];
    const examples = pairs
      .filter((pair) => pair.languages === languages)
      .map(({ features, positive, weight }) => ({
        values: others.map((name) => features[name]),
        positive,
        weight,
        offset:
          known.bias +
          headlineFeatureNames.reduce((sum, name) => sum + known.weights[name] * features[name], 0),
      }));
    const { bias, weights } = fitLogistic(examples, textPenalty);
    return {
      bias: known.bias,
      weights: { ...known.weights, ...namedTextWeights(present, bias, others, weights) },
    };
  };
  return { en: fit('en'), zh: fit('zh'), cross: fit('cross') };
}

function namedTextWeights(
  present: FeatureName,
  bias: number,
  others: readonly FeatureName[],
  weights: readonly number[],
): Partial<Record<FeatureName, number>> {
  return { [present]: bias, ...Object.fromEntries(others.map((name, at) => [name, weights[at] ?? 0])) };
}

/** Every feature has a weight; untrained ones have weight zero. */
function namedWeights(names: readonly FeatureName[], weights: readonly number[]): PairWeights['weights'] {
  const learnt = new Map(names.map((name, at) => [name, weights[at] ?? 0]));
  return Object.fromEntries(
    featureNames.map((name) => [name, learnt.get(name) ?? 0]),
  ) as PairWeights['weights'];
}

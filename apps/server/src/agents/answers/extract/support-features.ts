import type { SentenceFeatures } from './sentence-features.ts';

/** What speaks for and against answering with the best sentence; sign of each weight in `supportSigns`. */
export const supportNames = [
  'bias',
  'ranking',
  'margin',
  'names',
  'nameMissing',
  'words',
  'predicate',
  'predicateDocument',
  'rarestMissing',
  'focus',
  'focusAtNumber',
  'otherLanguage',
  'pairs',
  'kind',
  'unit',
  'conflict',
] as const;

export type SupportFeatures = Readonly<Record<(typeof supportNames)[number], number>>;

/** A feature that speaks for an answer never counts against it: few questions are labelled. */
export const supportSigns: SupportFeatures = {
  bias: 0,
  ranking: 1,
  margin: 1,
  names: 1,
  nameMissing: -1,
  words: 1,
  predicate: 1,
  predicateDocument: 1,
  rarestMissing: -1,
  focus: 1,
  focusAtNumber: 1,
  otherLanguage: 0,
  pairs: 1,
  kind: 1,
  unit: 1,
  conflict: -1,
};

export interface RankedFeatures {
  readonly likelihood: number;
  readonly features: SentenceFeatures;
}

const logOdds = (likelihood: number): number =>
  Math.max(-3, Math.min(3, Math.log(likelihood / (1 - likelihood))));

/** Of the best sentence and the next. */
export function supportFeatures(best: RankedFeatures, next: RankedFeatures | undefined): SupportFeatures {
  const { features } = best;
  return {
    bias: 1,
    ranking: logOdds(best.likelihood),
    margin: next === undefined ? 1 : Math.min(1, logOdds(best.likelihood) - logOdds(next.likelihood)),
    names: features.noNames === 1 ? 1 : features.namesInPassage,
    nameMissing: features.nameMissing,
    words: features.inPassage,
    predicate: features.predicateInPassage,
    predicateDocument: features.predicateInDocument,
    rarestMissing: features.rarestMissing,
    focus: features.focusInPassage,
    focusAtNumber: features.focusAtNumber,
    otherLanguage: features.otherLanguage,
    pairs: features.sharedPairs,
    kind: features.hasKind,
    unit: features.hasUnit,
    conflict: Math.max(features.opposite, features.otherYear, features.otherPeriod),
  };
}

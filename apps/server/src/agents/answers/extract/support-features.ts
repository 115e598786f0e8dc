import type { SentenceFeatures } from './sentence-features.ts';

/**
 * What speaks for and against answering with the best sentence, and how much before any question was labelled: training
 * moves the weights from here as far as the questions justify it, and never changes a sign.
 */
export const supportPriors = {
  bias: 0,
  ranking: 0.6,
  margin: 0.4,
  inSentence: 0.3,
  inPassage: 0.5,
  documentShare: 0.8,
  rarestHere: 0.3,
  rarestMissing: -0.8,
  focusInSentence: 0.2,
  predicateInSentence: 0.6,
  predicateInPassage: 0.4,
  predicateInDocument: 0.6,
  namesInSentence: 0.3,
  names: 1.2,
  nameMissing: -1,
  otherNames: -0.2,
  notNamedNear: -0.8,
  otherSubject: -0.4,
  otherLanguage: 0,
  untranslated: -1,
  hasKind: 0.4,
  isOther: 0,
  slotUnit: 0.4,
  slotPredicate: 0.5,
  slotFocus: 0.4,
  slotMeasure: 0.4,
  bareCount: -1.2,
  noSlot: -0.8,
  hasCounter: 0.2,
  sharedPairs: 0.3,
  sameDay: 0.4,
  opposite: -0.8,
  otherYear: -0.8,
  otherPeriod: -1,
  otherDay: -0.6,
  ownFile: 0.4,
  ownElsewhere: -0.5,
} as const;

export type SupportFeatures = Readonly<Record<keyof typeof supportPriors, number>>;
export const supportNames = Object.keys(supportPriors) as readonly (keyof SupportFeatures)[];

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
    inSentence: features.inSentence,
    inPassage: features.inPassage,
    documentShare: features.documentShare,
    rarestHere: features.rarestHere,
    rarestMissing: features.rarestMissing,
    focusInSentence: features.focusInSentence,
    predicateInSentence: features.predicateInSentence,
    predicateInPassage: features.predicateInPassage,
    predicateInDocument: features.predicateInDocument,
    namesInSentence: features.noNames === 1 ? 1 : features.namesInSentence,
    names: features.noNames === 1 ? 1 : features.namesInPassage,
    nameMissing: features.nameMissing,
    otherNames: features.otherNames,
    notNamedNear: features.notNamedNear,
    otherSubject: features.otherSubject,
    otherLanguage: features.otherLanguage,
    untranslated: features.untranslated,
    hasKind: features.hasKind,
    isOther: features.isOther,
    slotUnit: features.slotUnit,
    slotPredicate: features.slotPredicate,
    slotFocus: features.slotFocus,
    slotMeasure: features.slotMeasure,
    bareCount: features.bareCount,
    noSlot: features.noSlot,
    hasCounter: features.hasCounter,
    sharedPairs: features.sharedPairs,
    sameDay: features.sameDay,
    opposite: features.opposite,
    otherYear: features.otherYear,
    otherPeriod: features.otherPeriod,
    otherDay: features.otherDay,
    ownFile: features.ownFile,
    ownElsewhere: features.ownElsewhere,
  };
}

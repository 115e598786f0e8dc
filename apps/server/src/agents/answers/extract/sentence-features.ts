import { hanCharacter } from '@daybook/grounding/text';

import { slotsOf } from './answer-slots.ts';
import type { Periods } from './periods.ts';
import { differs, overlaps } from './periods.ts';
import type { Question } from './question.ts';
import { bestSlot } from './slot-features.ts';
import type { ReadDocument, SentenceDetails, SourceSentence } from './source-document.ts';
import type { Rarity } from './term-rarity.ts';
import { share } from './term-rarity.ts';
import type { QuestionTerm } from './text-terms.ts';
import { matchOf, termsOf } from './text-terms.ts';

/** A sentence that may answer a question. */
export interface Candidate {
  readonly document: ReadDocument;
  readonly sentence: SourceSentence;
  /** How much of the question its document contains, compared with the document that contains most. */
  readonly documentShare: number;
}

/** How well a sentence fits a question, each from 0 to 1. */
export type SentenceFeatures = Readonly<Record<(typeof featureNames)[number], number>>;

export const featureNames = [
  'bias',
  'inSentence',
  'inPassage',
  'inDocument',
  'documentShare',
  'rarestMissing',
  'rarestHere',
  'focusInSentence',
  'focusInPassage',
  'predicateInSentence',
  'predicateInPassage',
  'predicateInDocument',
  'namesInSentence',
  'namesInPassage',
  'namesInTitle',
  'noNames',
  'nameMissing',
  'otherLanguage',
  'untranslated',
  'otherNames',
  'notNamedNear',
  'otherSubject',
  'hasKind',
  'isOther',
  'slotUnit',
  'slotPredicate',
  'slotFocus',
  'slotNames',
  'slotMeasure',
  'bareCount',
  'noSlot',
  'hasCounter',
  'sameDirection',
  'opposite',
  'otherYear',
  'otherPeriod',
  'sameDay',
  'otherDay',
  'sharedPairs',
  'sameNumber',
  'contextInPassage',
  'ownFile',
  'ownElsewhere',
  'isTitle',
  'isHeading',
  'isLead',
  'isLong',
  'kindAndWords',
] as const;

type Place = Pick<Candidate, 'document' | 'sentence'>;

/** How near a document has a term to the sentence. A sentence that begins with "it" continues the one before. */
function nearness({ document, sentence }: Place): (term: QuestionTerm) => number {
  const { sentences, lead, keys } = document;
  const before = sentence.at > 1 ? sentences[sentence.at - 1]?.terms.keys : undefined;
  const beforeShare = continues.test(sentence.text) ? 0.9 : 0.7;
  return (term) => {
    const here = matchOf(sentence.terms.keys, term);
    if (here === 1) return 1;
    const near = before === undefined ? 0 : beforeShare * matchOf(before, term);
    return Math.max(here, near, 0.6 * matchOf(lead, term), 0.35 * matchOf(keys, term));
  };
}

const continues =
  /^["“'‘「]?(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|There|The (?:company|firm|group|man|woman|deal|order|move|decision|agency|team|bank|court|report|study|ministry|government|plan))\b|^["“'‘「]?(?:他|她|它|其|该|此|这|两者|当中|公司|集团|局方|发言人|警方)/u;

/** How much of a question a document says, mostly in its title and first sentences. */
export function documentScore(asked: Question, document: ReadDocument, rarity: Rarity): number {
  const { terms } = inLanguageOf(asked, document);
  const { lead, keys } = document;
  return share(terms, rarity, (term) => Math.max(matchOf(lead, term), 0.8 * matchOf(keys, term)), 0);
}

/** For a document in the other language: the question with the terms that the glossary can translate. */
function inLanguageOf(question: Question, document: ReadDocument): Question {
  return question.isChinese === document.isChinese ? question : question.translated();
}

/** Weights of features that few labelled questions have, before training. */
export const sentencePriors: Partial<SentenceFeatures> = {
  sameDay: 1.5,
  otherDay: -1,
  otherYear: -0.6,
  otherPeriod: -0.8,
  ownFile: 1.2,
  ownElsewhere: -1.5,
  slotUnit: 1,
  noSlot: -1,
  slotPredicate: 0.8,
  slotMeasure: 0.6,
  notNamedNear: -0.5,
  otherSubject: -0.4,
};

/** The part of the score that needs no facts of the sentence: it decides which sentences are read closely. */
export function roughScore(asked: Question, place: Place, rarity: Rarity): number {
  const question = inLanguageOf(asked, place.document);
  const near = nearness(place);
  const { keys } = place.sentence.terms;
  const within = (term: QuestionTerm): number => matchOf(keys, term);
  return (
    share(question.terms, rarity, within, 0) +
    share(question.terms, rarity, near, 0) +
    0.3 * share(question.focus, rarity, within, 0) +
    0.3 * share(question.context, rarity, near, 0) +
    (question.isOwn && place.document.source.kind === 'file' ? 0.3 : 0)
  );
}

export function sentenceFeatures(asked: Question, candidate: Candidate, rarity: Rarity): SentenceFeatures {
  const { sentence, document } = candidate;
  const question = inLanguageOf(asked, document);
  const details = sentence.details();
  const slots = slotsOf(question, details);
  const hasKind = question.kind === 'other' || slots.length > 0 ? 1 : 0;
  const words = wordFeatures(question, candidate, rarity);
  return {
    bias: 1,
    ...words,
    documentShare: candidate.documentShare,
    ...nameFeatures(question, candidate, rarity),
    hasKind,
    isOther: question.kind === 'other' ? 1 : 0,
    ...bestSlot(question, details, slots, rarity),
    hasCounter: hasAnswerCounter(question, details),
    ...directionFeatures(question, details),
    ...periodFeatures(question, candidate),
    sharedPairs: Math.min(
      1,
      [...question.pairs].filter((pair) => sentence.terms.pairs.has(pair)).length /
        Math.max(1, question.pairs.size),
    ),
    sameNumber: sharedNumbers(question, details),
    ownFile: question.isOwn && document.source.kind === 'file' ? 1 : 0,
    ownElsewhere: question.isOwn && document.source.kind !== 'file' ? 1 : 0,
    isTitle: sentence.at === 0 ? 1 : 0,
    isHeading: sentence.at > 0 && isHeading(sentence.text) ? 1 : 0,
    isLead: sentence.at === 1 || sentence.at === 2 ? 1 : 0,
    isLong: Math.min(1, sentence.text.length / (hanCharacter.test(sentence.text) ? 120 : 300)),
    kindAndWords: words.inSentence * hasKind,
  };
}

/** A line of a text without an end mark. */
function isHeading(text: string): boolean {
  return text.length < 120 && !/[.!?。！？…;；:：]["”’'」』)\]）]*$/u.test(text);
}

function wordFeatures(question: Question, candidate: Candidate, rarity: Rarity) {
  const { sentence, document } = candidate;
  const near = nearness(candidate);
  const isName = ({ key }: QuestionTerm): boolean => question.nameKeys.has(key);
  const within = (term: QuestionTerm): number => matchOf(sentence.terms.keys, term);
  const close = (term: QuestionTerm): number => (near(term) >= 0.5 ? 1 : 0);
  const inDocument = (term: QuestionTerm): number => matchOf(document.keys, term);
  const predicate = question.terms.filter((term) => !isName(term));
  const focus = question.focus.filter((term) => !isName(term));
  return {
    inSentence: share(question.terms, rarity, within, 0),
    inPassage: share(question.terms, rarity, near, 0),
    inDocument: share(question.terms, rarity, inDocument, 0),
    rarestMissing: rarestMissing(question.terms, rarity, inDocument),
    rarestHere: rarestHere(predicate, rarity, within),
    focusInSentence: share(focus, rarity, within, 0.5),
    focusInPassage: share(focus, rarity, close, 0.5),
    predicateInSentence: share(predicate, rarity, within, 0.5),
    predicateInPassage: share(predicate, rarity, close, 0.5),
    predicateInDocument: share(predicate, rarity, inDocument, 0.5),
    contextInPassage: share(question.context, rarity, near, 0),
  };
}

/** The weight of the rarest term that the document lacks, compared with the rarest of the question. */
function rarestMissing(
  terms: readonly QuestionTerm[],
  rarity: Rarity,
  inDocument: (term: QuestionTerm) => number,
): number {
  const missing = Math.max(0, ...terms.filter((term) => inDocument(term) === 0).map(rarity));
  return missing === 0 ? 0 : missing / Math.max(...terms.map(rarity));
}

/** Whether the sentence has the rarest word of the predicate. */
function rarestHere(
  predicate: readonly QuestionTerm[],
  rarity: Rarity,
  within: (term: QuestionTerm) => number,
): number {
  const most = Math.max(0, ...predicate.map(rarity));
  const rarest = predicate.find((term) => rarity(term) === most);
  return rarest === undefined ? 0.5 : within(rarest);
}

function nameFeatures(question: Question, candidate: Candidate, rarity: Rarity) {
  const { sentence, document } = candidate;
  const near = nearness(candidate);
  const named = question.terms.filter(({ key }) => question.nameKeys.has(key));
  const isOtherLanguage = question.isChinese !== document.isChinese;
  const namesInSentence = share(named, rarity, (term) => matchOf(sentence.terms.keys, term), 0);
  const before = sentence.at > 1 ? document.sentences[sentence.at - 1]?.terms.keys : undefined;
  const isOneSubject = question.isOwn && document.source.kind === 'file';
  const around = [sentence.terms.keys, document.title, before, isOneSubject ? document.keys : undefined];
  const isNamedNear = named.some((term) =>
    around.some((keys) => keys !== undefined && matchOf(keys, term) > 0),
  );
  const isMissing =
    question.scope !== 'own' &&
    subjectsOf(question, rarity).some(
      (subject) => share(subject, rarity, (term) => matchOf(document.keys, term), 1) < 0.5,
    );
  return {
    namesInSentence,
    namesInPassage: share(named, rarity, (term) => (near(term) >= 0.5 ? 1 : 0), 0),
    namesInTitle: share(named, rarity, (term) => matchOf(document.title, term), 0),
    noNames: named.length === 0 ? 1 : 0,
    nameMissing: isMissing ? 1 : 0,
    otherLanguage: isOtherLanguage ? 1 : 0,
    untranslated: isOtherLanguage ? 1 - question.translatedShare(rarity) : 0,
    otherNames:
      named.length > 0 && namesInSentence === 0 && hasOtherName(question, sentence.details()) ? 1 : 0,
    notNamedNear: named.length > 0 && !isNamedNear ? 1 : 0,
    otherSubject: named.length > 0 && !isNamedNear && hasOtherName(question, sentence.details()) ? 1 : 0,
  };
}

/** The terms of each name; a Chinese question without a recognised name begins with it. */
function subjectsOf(question: Question, rarity: Rarity): readonly (readonly QuestionTerm[])[] {
  const { terms, names, nameKeys } = question;
  if (nameKeys.size > 0) {
    const named = terms.filter(({ key }) => nameKeys.has(key));
    const groups = names.map((name) => {
      const { keys } = termsOf(name);
      return named.filter((term) => matchOf(keys, { ...term, concepts: [] }) > 0);
    });
    const grouped = new Set(groups.flat());
    return [...groups, ...named.filter((term) => !grouped.has(term)).map((term) => [term])];
  }
  const [first] = terms;
  if (!question.isChinese || question.isOwn || first === undefined || terms.length < subjectTermsMin)
    return [];
  return first.key.length > 1 && rarity(first) > subjectRarityMin ? [[first]] : [];
}

/** More common words are no subject: 今年, 公司. */
const subjectRarityMin = 3;
/** A shorter part of a question has no subject of its own. */
const subjectTermsMin = 3;

function hasOtherName({ nameKeys }: Question, { names }: SentenceDetails): boolean {
  return names.some((name) => ![...termsOf(name).keys].some((key) => nameKeys.has(key)));
}

function hasAnswerCounter({ counter }: Question, { simple }: SentenceDetails): number {
  if (counter === '') return 0.5;
  const at = simple.indexOf(counter);
  for (let next = at; next !== -1; next = simple.indexOf(counter, next + 1))
    if (/[\d一二三四五六七八九十百千万亿余多]/u.test(simple[next - 1] ?? '')) return 1;
  return 0;
}

function directionFeatures({ directions }: Question, details: SentenceDetails) {
  let [sameDirection, opposite] = [0, 0];
  for (const [pair, sign] of directions) {
    const stated = details.directions.get(pair) ?? 0;
    if (sign * stated > 0) sameDirection = 1;
    if (sign * stated < 0) opposite = 1;
  }
  return { sameDirection, opposite };
}

function periodFeatures({ periods }: Question, { document, sentence }: Candidate) {
  const stated = sentence.details().periods;
  const isMissing =
    periods.quarters.size > 0 &&
    document.sentences.every((one) => one.details().periods.quarters.isDisjointFrom(periods.quarters));
  const { dayNumber: day } = document;
  const isPublishedThen = day !== null && periods.days.some(({ from, to }) => from <= day && day <= to + 1);
  const isSameDay = overlaps(periods.days, stated.days);
  return {
    otherYear: differs(periods.years, stated.years) ? 1 : 0,
    otherPeriod: otherPeriod(periods, stated, isMissing),
    sameDay: isSameDay ? 1 : isPublishedThen && stated.days.length === 0 ? 0.6 : 0,
    otherDay: periods.days.length > 0 && stated.days.length > 0 && !isSameDay ? 1 : 0,
  };
}

function otherPeriod(asked: Periods, stated: Periods, isMissing: boolean): number {
  if (isMissing || differs(asked.quarters, stated.quarters)) return 1;
  return differs(asked.lengths, stated.lengths) ? 0.7 : 0;
}

function sharedNumbers({ facts }: Question, details: SentenceDetails): number {
  const asked = facts.quantities.filter(({ numeral }) => numeral.value > 0);
  if (asked.length === 0) return 0;
  const stated = new Set(details.facts.quantities.map(({ numeral }) => numeral.value));
  return asked.filter(({ numeral }) => stated.has(numeral.value)).length / asked.length;
}

import { hanCharacter } from '../../../language/han-text.ts';
import { differs } from './periods.ts';
import type { AnswerUnit, Question } from './question.ts';
import type { ReadDocument, SentenceDetails, SourceSentence } from './source-document.ts';
import type { QuestionTerm } from './text-terms.ts';
import { contains, termsOf } from './text-terms.ts';

/** A sentence that may answer a question. */
export interface Candidate {
  readonly document: ReadDocument;
  readonly sentence: SourceSentence;
}

/** How well a sentence fits a question, each from 0 to 1. */
export type SentenceFeatures = Readonly<Record<(typeof featureNames)[number], number>>;

export const featureNames = [
  'bias',
  'inSentence',
  'inPassage',
  'inDocument',
  'rarestMissing',
  'focusInSentence',
  'focusInPassage',
  'predicateInSentence',
  'predicateInPassage',
  'predicateInDocument',
  'namesInSentence',
  'namesInPassage',
  'noNames',
  'nameMissing',
  'otherLanguage',
  'otherNames',
  'hasKind',
  'isOther',
  'hasUnit',
  'hasCounter',
  'focusAtNumber',
  'sameDirection',
  'opposite',
  'otherYear',
  'otherPeriod',
  'sharedPairs',
  'sameNumber',
  'contextInPassage',
  'isTitle',
  'isLong',
  'kindAndWords',
] as const;

type Rarity = (term: QuestionTerm) => number;

/** The share of the weight of the terms that a test holds for; `without` if no term has weight. */
function share(
  terms: readonly QuestionTerm[],
  rarity: Rarity,
  value: (term: QuestionTerm) => number,
  without: number,
): number {
  let [sum, all] = [0, 0];
  for (const term of terms) {
    const weight = rarity(term);
    all += weight;
    sum += weight * value(term);
  }
  return all === 0 ? without : sum / all;
}

/** How near a document has a term to the sentence. */
function nearness({ document, sentence }: Candidate): (term: QuestionTerm) => number {
  const { sentences, lead, keys } = document;
  const before = sentence.at > 1 ? sentences[sentence.at - 1]?.terms.keys : undefined;
  return (term) => {
    if (contains(sentence.terms.keys, term)) return 1;
    if (before !== undefined && contains(before, term)) return 0.7;
    if (contains(lead, term)) return 0.6;
    return contains(keys, term) ? 0.35 : 0;
  };
}

/** The part of the score that needs no facts of the sentence: it decides which sentences are read closely. */
export function roughScore(question: Question, candidate: Candidate, rarity: Rarity): number {
  const near = nearness(candidate);
  const { keys } = candidate.sentence.terms;
  const within = (term: QuestionTerm): number => (contains(keys, term) ? 1 : 0);
  return (
    share(question.terms, rarity, within, 0) +
    share(question.terms, rarity, near, 0) +
    0.3 * share(question.focus, rarity, within, 0) +
    0.3 * share(question.context, rarity, near, 0)
  );
}

export function sentenceFeatures(question: Question, candidate: Candidate, rarity: Rarity): SentenceFeatures {
  const { sentence, document } = candidate;
  const details = sentence.details();
  const near = nearness(candidate);
  const isName = ({ key }: QuestionTerm): boolean => question.nameKeys.has(key);
  const within = (term: QuestionTerm): number => (contains(sentence.terms.keys, term) ? 1 : 0);
  const close = (term: QuestionTerm): number => (near(term) >= 0.6 ? 1 : 0);
  const inDocument = (term: QuestionTerm): number => (contains(document.keys, term) ? 1 : 0);
  const named = question.terms.filter(isName);
  const predicate = question.terms.filter((term) => !isName(term));
  const focus = question.focus.filter((term) => !isName(term));
  const inSentence = share(question.terms, rarity, within, 0);
  const hasKind = answerKinds[question.kind](question, details) ? 1 : 0;
  const hasUnit = hasAnswerUnit(question, details);
  const hasCounter = hasAnswerCounter(question, details);
  const focusInSentence = share(focus, rarity, within, 0.5);
  const isOtherLanguage = question.isChinese !== hanCharacter.test(document.source.text);
  const namesInSentence = share(named, rarity, within, 0);
  return {
    bias: 1,
    inSentence,
    inPassage: share(question.terms, rarity, near, 0),
    inDocument: share(question.terms, rarity, inDocument, 0),
    rarestMissing: rarestMissing(question.terms, rarity, inDocument),
    focusInSentence,
    focusInPassage: share(focus, rarity, close, 0.5),
    predicateInSentence: share(predicate, rarity, within, 0.5),
    predicateInPassage: share(predicate, rarity, close, 0.5),
    predicateInDocument: share(predicate, rarity, inDocument, 0.5),
    namesInSentence,
    namesInPassage: share(named, rarity, close, 0),
    noNames: named.length === 0 ? 1 : 0,
    nameMissing: !isOtherLanguage && subjectsOf(question).some((term) => inDocument(term) === 0) ? 1 : 0,
    otherLanguage: isOtherLanguage ? 1 : 0,
    otherNames: named.length > 0 && namesInSentence === 0 && hasOtherName(question, details) ? 1 : 0,
    hasKind,
    isOther: question.kind === 'other' ? 1 : 0,
    hasUnit,
    hasCounter,
    focusAtNumber: question.kind === 'number' ? focusAtNumber(question, focus, details, rarity) : 0,
    ...directionFeatures(question, details),
    ...periodFeatures(question, candidate),
    sharedPairs: Math.min(
      1,
      [...question.pairs].filter((pair) => sentence.terms.pairs.has(pair)).length /
        Math.max(1, question.pairs.size),
    ),
    sameNumber: sharedNumbers(question, details),
    contextInPassage: share(question.context, rarity, near, 0),
    isTitle: sentence.at === 0 ? 1 : 0,
    isLong: Math.min(1, sentence.text.length / (question.isChinese ? 120 : 300)),
    kindAndWords: inSentence * hasKind,
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

/** The terms that name what is asked about; a Chinese question without a recognised name begins with it. */
function subjectsOf(question: Question): readonly QuestionTerm[] {
  if (question.nameKeys.size > 0) return question.terms.filter(({ key }) => question.nameKeys.has(key));
  return question.isChinese ? question.terms.slice(0, 1) : [];
}

function hasOtherName({ nameKeys }: Question, { names }: SentenceDetails): boolean {
  return names.some((name) => ![...termsOf(name).keys].some((key) => nameKeys.has(key)));
}

const relativeDate =
  /\b(?:yesterday|today|tomorrow|tonight|last (?:night|week|month|year)|next \w+)\b|昨日|昨天|今日|今天|今早|今晚|明日|明天|下月|上月/iu;
const statesReason =
  /\b(?:because|due to|driven by|caused? by|owing|as a result|since|after|in order to|therefore|reason|has no|have no|lack|weaken)|因|由于|引致|导致|原因|造成|起因|令/iu;

/** Whether a sentence contains what a question of this kind asks for, apart from what the question states itself. */
const answerKinds: Readonly<
  Record<Question['kind'], (question: Question, details: SentenceDetails) => boolean>
> = {
  number: (question, { facts }) => newQuantities(question, facts).length > 0,
  date: (_, { facts, simple }) => facts.dates.length > 0 || relativeDate.test(simple),
  name: hasNewName,
  place: hasNewName,
  reason: (_, { simple }) => statesReason.test(simple),
  other: () => true,
};

function hasNewName({ names: known }: Question, { names }: SentenceDetails): boolean {
  return names.some((name) => !known.some((asked) => asked.includes(name) || name.includes(asked)));
}

type Facts = Question['facts'];

/** Numbers that the question does not state itself. */
function newQuantities({ facts }: Question, stated: Facts): Facts['quantities'] {
  const asked = new Set(facts.quantities.map(({ numeral }) => numeral.value));
  return stated.quantities.filter(({ numeral }) => !asked.has(numeral.value));
}

const currency =
  /dollar|euro|yuan|pound|yen|rupee|won|franc|krona|ruble|peso|real|lira|rand|baht|ringgit|rupiah|dirham|riyal|shekel|bitcoin/u;
const writtenUnits: Partial<Record<NonNullable<AnswerUnit>, RegExp>> = {
  clock: /\d+[时点]|\d:\d\d|[ap]\.?m\b/u,
  age: /\d+[- ]year[- ]old|岁|, ?\d\d,|, \d\d\b/u,
};

function hasAnswerUnit(question: Question, { facts, simple }: SentenceDetails): number {
  const { unit } = question;
  if (unit === null) return 0.5;
  const written = writtenUnits[unit];
  if (written !== undefined) return written.test(simple) ? 1 : 0;
  const fits = (dimension: string): boolean => {
    if (unit === 'money') return currency.test(dimension);
    return unit === 'duration' ? /^(?:second|month)$/u.test(dimension) : dimension === unit;
  };
  const found = newQuantities(question, facts).some((one) => one.unit !== null && fits(one.unit.dimension));
  return found ? 1 : 0;
}

/** How far before and after a number its noun is searched. */
const nounReach = { before: 12, after: 24 } as const;

/** The best share of the focus next to a number that the question does not state. */
function focusAtNumber(
  question: Question,
  focus: readonly QuestionTerm[],
  { facts }: SentenceDetails,
  rarity: Rarity,
): number {
  const shares = newQuantities(question, facts).map(({ start, end }) => {
    const { keys } = termsOf(facts.text.slice(Math.max(0, start - nounReach.before), end + nounReach.after));
    return share(focus, rarity, (term) => (contains(keys, term) ? 1 : 0), 0);
  });
  return Math.max(0, ...shares);
}

function hasAnswerCounter({ counter }: Question, { simple }: SentenceDetails): number {
  if (counter === '') return 0.5;
  const at = simple.indexOf(counter);
  for (let next = at; next !== -1; next = simple.indexOf(counter, next + 1))
    if (/[\d一二三四五六七八九十百千万亿余多]/u.test(simple[next - 1] ?? '')) return 1;
  return 0;
}

function directionFeatures(
  { directions }: Question,
  details: SentenceDetails,
): Pick<SentenceFeatures, 'sameDirection' | 'opposite'> {
  let [sameDirection, opposite] = [0, 0];
  for (const [pair, sign] of directions) {
    const stated = details.directions.get(pair) ?? 0;
    if (sign * stated > 0) sameDirection = 1;
    if (sign * stated < 0) opposite = 1;
  }
  return { sameDirection, opposite };
}

function periodFeatures(
  { periods }: Question,
  { document, sentence }: Candidate,
): Pick<SentenceFeatures, 'otherYear' | 'otherPeriod'> {
  const stated = sentence.details().periods;
  const isMissing =
    periods.quarters.size > 0 &&
    document.sentences.every((one) => one.details().periods.quarters.isDisjointFrom(periods.quarters));
  return {
    otherYear: differs(periods.years, stated.years) ? 1 : 0,
    otherPeriod: isMissing || differs(periods.quarters, stated.quarters) ? 1 : 0,
  };
}

function sharedNumbers({ facts }: Question, details: SentenceDetails): number {
  const asked = facts.quantities.filter(({ numeral }) => numeral.value > 0);
  if (asked.length === 0) return 0;
  const stated = new Set(details.facts.quantities.map(({ numeral }) => numeral.value));
  return asked.filter(({ numeral }) => stated.has(numeral.value)).length / asked.length;
}

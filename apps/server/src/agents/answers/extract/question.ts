import { entitiesOf, findHanNames, findOpposites, statedFacts } from '@daybook/grounding';
import { hanCharacter, toSimplified } from '@daybook/grounding/text';

import type { AnswerFocus, AnswerKind, AnswerUnit } from './answer-kind.ts';
import { hanFocus, kindOf, latinFocus, unitOf } from './answer-kind.ts';
import { comparedParts } from './compared-parts.ts';
import { isNameConcept } from './glossary.ts';
import type { Periods } from './periods.ts';
import { periodsOf } from './periods.ts';
import {
  asksAgreement,
  comparesWithOwn,
  hasQuestionWord,
  isComparing,
  isOwn,
  partsOf,
  withoutAsking,
} from './question-parts.ts';
import type { Rarity } from './term-rarity.ts';
import { share } from './term-rarity.ts';
import type { QuestionTerm } from './text-terms.ts';
import { contains, questionTerms, termsOf } from './text-terms.ts';
import { asWritten } from './written-question.ts';

/** A question and, in a conversation, those before it. */
export interface AskedQuestion {
  readonly text: string;
  /** Oldest first. */
  readonly before: readonly string[];
  /** The day on which it is asked, `YYYY-MM-DD`, for "yesterday"; null if unknown. */
  readonly day: string | null;
}

/** One part of a question: each part is answered on its own. */
export interface Question {
  readonly text: string;
  readonly isChinese: boolean;
  readonly kind: AnswerKind;
  readonly unit: AnswerUnit;
  /** The Chinese measure word after 多少: 多少宗. */
  readonly counter: string;
  /** How many … */
  readonly countsThings: boolean;
  /** Including those that a part without a subject takes from the part or question before it. */
  readonly terms: readonly QuestionTerm[];
  readonly names: readonly string[];
  /** The keys of the terms that are parts of names. */
  readonly nameKeys: ReadonlySet<string>;
  readonly focus: readonly QuestionTerm[];
  /** The terms of the questions before it, and of the other parts. */
  readonly context: readonly QuestionTerm[];
  readonly pairs: ReadonlySet<string>;
  readonly directions: ReadonlyMap<string, number>;
  readonly facts: ReturnType<typeof statedFacts>;
  readonly periods: Periods;
  /** About something of the organization itself: our budget. */
  readonly isOwn: boolean;
  /** The sources that may answer it: files of the organization, or all others; null: any. */
  readonly scope: 'own' | 'public' | null;
  /** Asks about sources that may differ: one sentence of each is quoted. */
  readonly wantsEverySource: boolean;
  /** The question with the terms that a text in the other language can contain. */
  readonly translated: () => Question;
  /** The share of the weight of its terms that these have. */
  readonly translatedShare: (rarity: Rarity) => number;
}

type OwnFields = Omit<Question, 'translated' | 'translatedShare'>;

/** The parts of a question, each with the words of the others and of the questions before as its context. */
export function readQuestion({ text: asked, before: askedBefore, day }: AskedQuestion): Question[] {
  const { leadIn, text } = withoutLeadIn(asWritten(asked));
  const before = askedBefore.map((one) => withoutLeadIn(asWritten(one)).text);
  const parts = partsOf(text).flatMap(comparedParts);
  const wantsEverySource = asksAgreement(text);
  const conversation = before.slice(-chainMax);
  const antecedents = conversation.flatMap((one) =>
    partsOf(one).map((part) => readPart(part, '', day, null)),
  );
  const read: Question[] = [];
  for (const [at, part] of parts.entries()) {
    const others = [leadIn, ...conversation, ...parts.filter((_, other) => other !== at)].join(' ');
    const antecedent = antecedentOf([...antecedents, ...read]);
    read.push(withTranslation({ ...readPart(part, others, day, antecedent), wantsEverySource }));
  }
  return comparesWithOwn(text) ? read.flatMap(inBothScopes) : read;
}

const leadInForm = /^([^,:.!?，：。！？]{2,60}?)(?:[,:.!]\s+|[，：。！])(.+)$/su;

/** "In the women's final, who …": a circumstance belongs to the question. */
const circumstance =
  /^\W*(?:in|at|during|after|before|on|for|under|since|when|while|if|among|of|with|without)\b|^\s*在|(?:中|里|内|期间|时|后|前|上|(?<!一)下|市)$/iu;

/** "Quick question: …", 根据新闻报道，…: what precedes a question without naming anything is not what is asked. */
function withoutLeadIn(text: string): { readonly leadIn: string; readonly text: string } {
  const [, leadIn = '', rest = ''] = leadInForm.exec(text) ?? [];
  const isAside =
    leadIn !== '' &&
    !/\d/u.test(leadIn) &&
    !circumstance.test(toSimplified(leadIn)) &&
    !hasQuestionWord(leadIn) &&
    hasQuestionWord(rest) &&
    !isOwn(leadIn) &&
    !namesSomething(leadIn);
  return isAside ? { leadIn, text: rest } : { leadIn: '', text };
}

function namesSomething(text: string): boolean {
  const lower = text.replace(/^\W*\w/u, (first) => first.toLowerCase());
  return (
    namesOf(lower).length > 0 ||
    questionTerms(lower).some(({ concepts }) => concepts.some(isNameConcept)) ||
    periodsOf(toSimplified(text), statedFacts(text).dates, '2000-01-01').days.length > 0
  );
}

function withTranslation(own: OwnFields): Question {
  const isTranslatable = ({ key, concepts, sounds }: QuestionTerm): boolean =>
    concepts.length > 0 || sounds.length > 0 || /\d/u.test(key) || (own.isChinese && !hanCharacter.test(key));
  const translate = (some: readonly QuestionTerm[]): QuestionTerm[] =>
    some.map((term) =>
      isTranslatable(term)
        ? { ...term, concepts: [...term.concepts, ...term.sounds] }
        : { ...term, isFaint: true },
    );
  const terms = translate(own.terms);
  let abroad: Question | undefined;
  const question: Question = {
    ...own,
    translated: () => {
      abroad ??= {
        ...question,
        terms,
        focus: translate(own.focus),
        context: translate(own.context),
        nameKeys: new Set(
          terms.filter(({ key, isFaint }) => isFaint !== true && own.nameKeys.has(key)).map(({ key }) => key),
        ),
      };
      return abroad;
    },
    translatedShare: (rarity) => share(own.terms, rarity, (term) => (isTranslatable(term) ? 1 : 0), 0),
  };
  return question;
}

/** What the organization's own files say, and what the news says. */
function inBothScopes(part: Question, _: number, parts: readonly Question[]): Question[] {
  if (parts.length > 1) return [withTranslation({ ...part, scope: part.isOwn ? 'own' : 'public' })];
  return [
    withTranslation({ ...part, scope: 'own' }),
    withTranslation({ ...part, scope: 'public', isOwn: false }),
  ];
}

/** Questions of a conversation that are read again. */
const chainMax = 4;

/** The last part that names something, else the last. */
function antecedentOf(parts: readonly Question[]): Question | null {
  return parts.findLast(({ nameKeys }) => nameKeys.size > 0) ?? parts.at(-1) ?? null;
}

const openingWord =
  /^(?:what|which|who|whom|whose|when|where|why|how|in|on|at|by|to|did|do|does|is|was|were|are|and|but|name|from|until|for|of|give|list|will|has|have|had|can|could|should|would|according|tomorrow|today|yesterday)\b/iu;

function readPart(text: string, context: string, day: string | null, antecedent: Question | null): Question {
  const simple = toSimplified(text);
  const isChinese = hanCharacter.test(text);
  const facts = statedFacts(text);
  const names = namesOf(text.replace(openingWord, (word) => word.toLowerCase()));
  const named = termsOf(names.join(' ; '));
  const isName = (term: QuestionTerm): boolean =>
    term.concepts.some(isNameConcept) || contains(named.keys, { ...term, concepts: [] });
  const asName = (term: QuestionTerm): QuestionTerm =>
    term.name !== undefined && named.keys.has(term.name)
      ? { ...term, key: term.name, parts: [term.name], concepts: term.concepts.filter(isNameConcept) }
      : term;
  const terms = questionTerms(withoutAsking(text)).map(asName);
  const nameKeys = new Set(terms.filter(isName).map(({ key }) => key));
  const own: OwnFields = {
    text,
    isChinese,
    kind: kindOf(text, simple),
    unit: unitOf(text, simple),
    countsThings:
      /\bhow many\b|(?:多少|几)[个名位间宗架辆只条家次件](?=\p{Script=Han}{2})|(?:多少|几)人/iu.test(
        `${text} ${simple}`,
      ),
    ...focusOf(text, simple, isChinese, asName),
    terms,
    names,
    nameKeys,
    context: questionTerms(withoutAsking(context)),
    pairs: termsOf(withoutAsking(text)).pairs,
    directions: directionsOf(simple),
    facts,
    periods: periodsOf(simple, facts.dates, day),
    isOwn: isOwn(text),
    scope: null,
    wantsEverySource: false,
  };
  return withTranslation(
    antecedent === null ? own : comparedWith(withAntecedent(own, antecedent), antecedent),
  );
}

/** "How does it compare with …": what is asked of the other side. */
function comparedWith(part: OwnFields, before: Question): OwnFields {
  if (part.kind !== 'other' || before.kind === 'other' || !isComparing(part.text)) return part;
  return { ...part, kind: before.kind, unit: part.unit ?? before.unit };
}

function focusOf(
  text: string,
  simple: string,
  isChinese: boolean,
  asName: (term: QuestionTerm) => QuestionTerm,
): { readonly focus: readonly QuestionTerm[]; readonly counter: string } {
  const { focus, counter }: AnswerFocus = isChinese ? hanFocus(simple) : latinFocus(text);
  return { focus: questionTerms(withoutAsking(focus)).map(asName), counter };
}

/** "It", "their", 它: the part is about what an earlier one names. */
const pronoun =
  /\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|there|then)\b|它|他|她|其|该|此|这|那/iu;

/**
 * A part without a name is about what the part before it names, and one without a question word asks the same again:
 * 那上季呢？
 */
function withAntecedent(part: OwnFields, before: Question): OwnFields {
  const isElliptic = !hasQuestionWord(part.text);
  const needsSubject = part.nameKeys.size === 0 || (isElliptic && part.terms.length < 3);
  if (!needsSubject && !pronoun.test(toSimplified(part.text))) return part;
  const isPointing = pronoun.test(toSimplified(part.text));
  // 净利润呢？ asks for something else, 那上季呢？ for the same of another time.
  const asksOther = isElliptic && part.terms.some(({ key }) => !part.nameKeys.has(key) && !isPeriod(key));
  const isTaken = (term: QuestionTerm): boolean => {
    if (part.terms.some(({ key }) => key === term.key)) return false;
    if (before.nameKeys.has(term.key)) return part.nameKeys.size === 0;
    return (
      (isElliptic && (asksOther ? isPeriod(term.key) : !isPeriod(term.key))) ||
      (isPointing && before.focus.some(({ key }) => key === term.key))
    );
  };
  const taken = before.terms.filter(isTaken);
  const isEmpty = part.terms.length === 0;
  return {
    ...part,
    terms: [...part.terms, ...taken],
    names: part.names.length === 0 ? before.names : part.names,
    nameKeys: new Set([
      ...part.nameKeys,
      ...taken.filter(({ key }) => before.nameKeys.has(key)).map(({ key }) => key),
    ]),
    ...(isElliptic && { kind: before.kind, unit: before.unit, counter: before.counter, focus: before.focus }),
    ...(isEmpty && { terms: before.terms, nameKeys: before.nameKeys }),
    isOwn: part.isOwn || (needsSubject && before.isOwn),
  };
}

/** A follow-up about another period replaces it. */
function isPeriod(key: string): boolean {
  return /^(?:(?:19|20)\d\d|\p{Script=Han}{1,2}(?:季度?|年度?|月|周|日|天)|first|second|third|fourth|quarter|half|year|month|week|last|next|previou)$/u.test(
    key,
  );
}

export function namesOf(text: string): string[] {
  const latin = entitiesOf(text).map((entity) => entity.text.toLowerCase());
  return hanCharacter.test(text) ? [...latin, ...findHanNames(toSimplified(text))] : latin;
}

/** By pair of opposites: 1 or -1, 0 if the text has both. */
export function directionsOf(text: string): ReadonlyMap<string, number> {
  const directions = new Map<string, number>();
  for (const { pair, sign } of findOpposites(text)) {
    const known = directions.get(pair);
    directions.set(pair, known === undefined || known === sign ? sign : 0);
  }
  return directions;
}

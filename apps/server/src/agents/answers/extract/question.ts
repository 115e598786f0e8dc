import { entitiesOf, findHanNames, findOpposites, statedFacts } from '../../../grounding/index.ts';
import { hanCharacter } from '../../../language/han-text.ts';
import { toSimplified } from '../../../language/simplified.ts';
import type { Periods } from './periods.ts';
import { periodsOf } from './periods.ts';
import type { QuestionTerm } from './text-terms.ts';
import { contains, questionTerms, termsOf } from './text-terms.ts';

/** What an answer has to contain. */
export type AnswerKind = 'number' | 'date' | 'name' | 'place' | 'reason' | 'other';
export type AnswerUnit = 'money' | 'percent' | 'age' | 'duration' | 'clock' | null;

/** A question and, in a conversation, the one before it. */
export interface AskedQuestion {
  readonly text: string;
  readonly before: string | null;
  /** The year in which it is asked, for "last year"; null if unknown. */
  readonly year: number | null;
}

/** One part of a question: each part is answered on its own. */
export interface Question {
  readonly text: string;
  readonly isChinese: boolean;
  readonly kind: AnswerKind;
  readonly unit: AnswerUnit;
  /** The Chinese measure word after 多少: 多少宗. */
  readonly counter: string;
  readonly terms: readonly QuestionTerm[];
  readonly names: readonly string[];
  /** The keys of the terms that are parts of names. */
  readonly nameKeys: ReadonlySet<string>;
  /** The terms next to the question word: how many *shares*. */
  readonly focus: readonly QuestionTerm[];
  /** The terms of the question before it, and of the other parts. */
  readonly context: readonly QuestionTerm[];
  readonly pairs: ReadonlySet<string>;
  readonly directions: ReadonlyMap<string, number>;
  readonly facts: ReturnType<typeof statedFacts>;
  readonly periods: Periods;
}

const hanAsking =
  /请问|为什么|为何|什么情况下|什么时候|何时|几点|哪一[天日]|哪一?[个间]?两?个?|哪里|什么|甚么|多少|几多|几|是谁|由谁|谁|边个|各则|吗|呢|说法一致|一致|报道|有没有不同说法|还是|大约|大概|约|如何|怎样|相比|比较|共有|一共|我们|公司|才|的|是|在|了|和|与|及|被|将|会|获/gu;
const asking =
  /\b(?:what|which|who|whom|whose|when|where|why|how|many|much|do|does|did|is|are|was|were|name|give|list|exactly|according|tell|say|says|said|date|number|amount|long|large|high|kind|type|agree|articles?|figure|too|if need be|please)\b/giu;
const openingWord =
  /^(?:what|which|who|whom|whose|when|where|why|how|in|on|at|by|to|did|do|does|is|was|were|and|name|from|until)\b/iu;

/** Without the words that only ask. */
export function questionWords(text: string): string {
  return text.replace(hanAsking, ' ').replace(asking, ' ');
}

function withoutAsking(text: string): string {
  const latin = (part: string): string => part.replace(asking, ' ');
  return hanCharacter.test(text) ? latin(toSimplified(text).replace(hanAsking, ' ')) : latin(text);
}

/** Splits what is asked at once: "how many …, and when …?" */
export function partsOf(text: string): string[] {
  const parts = text
    .split(
      /[?？;；](?!$)|,? and (?=(?:what|which|who|when|where|how|by|on|in|at|to|did|do|does)\b)|[，,](?=(?:.{0,8})(?:幾|几|多少|哪|誰|谁|何時|何时|按年|与|與|要在|升跌))/iu,
    )
    .map((part) => part.trim())
    .filter((part) => part.length > 1);
  return parts.length > 0 ? parts : [text];
}

/** The parts of a question, each with the words of the others and of the question before as its context. */
export function readQuestion({ text, before, year }: AskedQuestion): Question[] {
  const parts = partsOf(text);
  return parts
    .map((part, at) =>
      readPart(part, [before ?? '', ...parts.filter((_, other) => other !== at)].join(' '), year),
    )
    .filter(({ terms, context }) => terms.length + context.length > 0);
}

function readPart(text: string, context: string, year: number | null): Question {
  const simple = toSimplified(text);
  const isChinese = hanCharacter.test(text);
  const names = namesOf(text.replace(openingWord, (word) => word.toLowerCase()));
  const terms = questionTerms(withoutAsking(text));
  const named = termsOf(names.join(' ; '));
  const { focus, counter } = isChinese ? hanFocus(simple) : latinFocus(text);
  return {
    text,
    isChinese,
    kind: kindOf(text, simple),
    unit: unitOf(text, simple),
    counter,
    terms,
    names,
    nameKeys: new Set(terms.filter((term) => contains(named.keys, term)).map(({ key }) => key)),
    focus: questionTerms(withoutAsking(focus)),
    context: questionTerms(withoutAsking(context)),
    pairs: termsOf(withoutAsking(text)).pairs,
    directions: directionsOf(simple),
    facts: statedFacts(text),
    periods: periodsOf(simple, year),
  };
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

const kindForms: readonly (readonly [AnswerKind, RegExp, RegExp])[] = [
  ['reason', /^why\b|\bwhy (?:did|does|do|was|were|is|are|has|have)\b|what caused/iu, /为什么|为何|原因/u],
  [
    'number',
    /\bhow (?:much|many|large|long|old|fast|far|high|big|tall)\b|^(?!who|when|where).*\b(?:price|cost|revenue|sum|amount|percentage|value|share|rate|level|salary|budget|loss|profit|sentence|resolution)\b/iu,
    /多少|几多|几(?!点)|占/u,
  ],
  [
    'date',
    /\b(?:when|on (?:what|which) date|in which (?:month|year)|until when|which date)\b/iu,
    /何时|几点|哪一[天日]|什么时候|哪天|限期/u,
  ],
  [
    'name',
    /\b(?:who|whom|whose)\b|\b(?:what is|give|state) the (?:\w+ )?name\b|\bwhich \w+ers?\b|\bwhich (?:executive|politician|player)/iu,
    /谁|边个|叫什么|姓名/u,
  ],
  ['place', /\bwhere\b|in which (?:countr|cit|place)/iu, /哪里|哪两?个?站|哪间/u],
];

function kindOf(text: string, simple: string): AnswerKind {
  return kindForms.find(([, latin, han]) => latin.test(text) || han.test(simple))?.[0] ?? 'other';
}

const unitForms: readonly (readonly [AnswerUnit, RegExp, RegExp])[] = [
  ['clock', /\b(?:at what|what) time\b/iu, /几点/u],
  ['duration', /\bhow long\b/iu, /多久/u],
  ['age', /\bhow old\b|\bage of\b/iu, /几多?岁|年龄/u],
  ['percent', /\bpercent|\bby how much\b|\bpercentage\b|\bshare of\b/iu, /升幅|跌幅|百分|按年增/u],
  [
    'money',
    /\bhow much\b|\b(?:price|cost|revenue|worth|earn|raise|pay|fine|salary|sum|value|loss|budget|damages)\b/iu,
    /元|收入|盈利|收益|预算|价|薪|营收|电费|营业额|费用/u,
  ],
];

function unitOf(text: string, simple: string): AnswerUnit {
  return unitForms.find(([, latin, han]) => latin.test(text) || han.test(simple))?.[0] ?? null;
}

const auxiliary =
  /^(?:is|are|was|were|do|does|did|will|would|can|could|has|have|had|should|may|might|to|an|for|in|on|at|by|from|with|after|according)$/iu;
const focusWordsMax = 6;

/** The noun after the question word: "how many new vehicles were sold". */
function latinFocus(text: string): { readonly focus: string; readonly counter: string } {
  const [, rest = ''] =
    /\b(?:how (?:many|much|old|long|large|fast|high|far|big)|what|which|who|whom|whose|when|where)\b(.*)$/iu.exec(
      text,
    ) ?? [];
  const words = rest.trim().split(/\s+/u);
  const end = words.findIndex((word) => auxiliary.test(word));
  return {
    focus: words.slice(0, Math.min(focusWordsMax, end === -1 ? words.length : end)).join(' '),
    counter: '',
  };
}

const hanFocusForm =
  /(\p{Script=Han}{0,6}?)(?:大约|大概|一共|约|是|共|有|为|占|报)*(多少|几多|几|什么|谁|哪|何时|边个)(\p{Script=Han}{0,6})/u;

function hanFocus(simple: string): { readonly focus: string; readonly counter: string } {
  const [, before = '', word = '', after = ''] = hanFocusForm.exec(simple) ?? [];
  const counter = /^(?:多少|几多|几)$/u.test(word) ? after.slice(0, 1) : '';
  const noun = counter === '' ? after.replace(/^[一两个间]/u, '') : after.slice(1);
  return { focus: `${before.slice(-4)} ${noun}`, counter };
}

import { splitSentences, statedFacts } from '@daybook/grounding';
import { hanCharacter, toSimplified } from '@daybook/grounding/text';

import type { Periods } from './periods.ts';
import { dayNumber, periodsOf } from './periods.ts';
import { directionsOf, namesOf } from './question.ts';
import type { TextTerms } from './text-terms.ts';
import { termsOf } from './text-terms.ts';

/** A text that an answer may quote. */
export interface SourceDocument {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** `YYYY-MM-DD`, or null if unknown. */
  readonly day: string | null;
  /** The parts of a long text that are read, in order; absent: all of it. */
  readonly passages?: readonly TextSpan[];
  /** Of a file only. */
  readonly version?: number;
}

/** Offsets in UTF-16 code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A sentence of a document, with its place in the title or text. */
export interface SourceSentence {
  readonly text: string;
  /** 0 is the title. */
  readonly at: number;
  /** Its offset in the text of the document; null for the title. */
  readonly start: number | null;
  readonly terms: TextTerms;
  /** Computed for the sentences that share words with the question only. */
  readonly details: () => SentenceDetails;
}

/** A part of a sentence between commas and conjunctions; offsets refer to the normalised text. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  readonly keys: ReadonlySet<string>;
}

export interface SentenceDetails {
  readonly facts: ReturnType<typeof statedFacts>;
  readonly names: readonly string[];
  readonly simple: string;
  readonly directions: ReadonlyMap<string, number>;
  readonly periods: Periods;
  readonly clauses: readonly Clause[];
}

export interface ReadDocument {
  readonly source: SourceDocument;
  /** Days since 1970. */
  readonly dayNumber: number | null;
  readonly isChinese: boolean;
  readonly sentences: readonly SourceSentence[];
  readonly keys: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  /** The terms of the title and the first sentences, which name the subject. */
  readonly lead: ReadonlySet<string>;
}

const leadSentences = 3;

export function readDocument(source: SourceDocument): ReadDocument {
  const { title, text, day, passages = [{ start: 0, end: text.length }] } = source;
  const placed = passages
    .flatMap((passage) => sentencesIn(text, passage))
    .filter((one) => one.text !== title);
  const sentences = [{ text: title, start: null }, ...placed].map((one, at) => readSentence(one, at, day));
  const keysOf = (some: readonly SourceSentence[]): ReadonlySet<string> =>
    new Set(some.flatMap(({ terms }) => [...terms.keys]));
  return {
    source,
    dayNumber: day === null ? null : dayNumber(day),
    isChinese: hanCharacter.test(text === '' ? title : text),
    sentences,
    keys: keysOf(sentences),
    title: sentences[0]?.terms.keys ?? new Set(),
    lead: keysOf(sentences.slice(0, leadSentences)),
  };
}

type PlacedText = Pick<SourceSentence, 'text' | 'start'>;

/** A longer sentence is no quotation, and to read it closely takes seconds. */
const sentenceCharsMax = 1_000;

function sentencesIn(text: string, { start, end }: TextSpan): PlacedText[] {
  let from = start;
  const placed = splitSentences(text.slice(start, end)).map((sentence) => {
    const at = text.indexOf(sentence, from);
    from = at + sentence.length;
    return { text: sentence, start: at };
  });
  return placed.filter((sentence) => sentence.text.length <= sentenceCharsMax);
}

function readSentence({ text, start }: PlacedText, at: number, day: string | null): SourceSentence {
  let known: SentenceDetails | undefined;
  return {
    text,
    at,
    start,
    terms: termsOf(text),
    details: () => {
      known ??= readDetails(text, day);
      return known;
    },
  };
}

function readDetails(text: string, day: string | null): SentenceDetails {
  const simple = toSimplified(text);
  const facts = statedFacts(text);
  return {
    facts,
    names: namesOf(text),
    simple,
    directions: directionsOf(simple),
    periods: periodsOf(simple, facts.dates, day),
    clauses: clausesOf(facts.text),
  };
}

const clauseEnd =
  /[,;:()](?!\d)|[。！？“”"]|(?<=\s)-(?=\s)|\b(?:and|but|while|whereas|although|though|because|as|after|before|when|if|which|who|that|with)\b|而|但|以及|并(?=\p{Script=Han})|(?<=\p{Script=Han})及/gu;

function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  const add = (start: number, end: number): void => {
    if (end > start) clauses.push({ start, end, keys: termsOf(text.slice(start, end)).keys });
  };
  let start = 0;
  for (const match of text.matchAll(clauseEnd)) {
    add(start, match.index);
    start = match.index + match[0].length;
  }
  add(start, text.length);
  return clauses;
}

import type { StatedDate } from './dates.ts';
import type { Entity } from './entities.ts';
import { entitiesOf } from './entities.ts';
import { once } from './language/once.ts';
import type { Span } from './language/plain-text.ts';
import type { Quantity } from './language/quantities.ts';
import { splitSentences } from './language/sentences.ts';
import { stemOf } from './language/text-tokens.ts';
import type { Word } from './latin-words.ts';
import { measureKeys } from './measures.ts';
import type { Polarity } from './negation.ts';
import { functionWords, polarityOf } from './negation.ts';
import type { Opposite } from './opposites.ts';
import { findOpposites } from './opposites.ts';
import type { StatedFacts } from './stated-facts.ts';

/** A word of a passage under one key for all its forms and both languages, where a table knows it. */
export interface Token extends Span {
  readonly key: string;
}

/** One sentence of a text, prepared for the comparison with another one. Offsets refer to the whole text. */
export interface Passage extends Span {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly keys: ReadonlySet<string>;
  readonly clauses: readonly Span[];
  readonly opposites: readonly Opposite[];
  readonly quantities: readonly Quantity[];
  readonly dates: readonly StatedDate[];
  /** Which of its words the sentence denies. */
  readonly polarity: () => Polarity;
  /** Names in Latin letters; their offsets refer to the sentence. */
  readonly entities: () => readonly Entity[];
}

const clauseEnd =
  /[,;:()](?!\d)|[。！？“”"]|(?<=\s)-(?=\s)|\b(?:and|but|while|whereas|although|though|because|as|after|before|when|if|which|who|that|with)\b|而|但|以及|并(?=\p{Script=Han})|(?<=\p{Script=Han})及/gu;

/** The sentences of a text. */
export function passagesOf(facts: StatedFacts): Passage[] {
  const passages: Passage[] = [];
  let from = 0;
  const [wordsOf, quantitiesOf, datesOf] = [
    cutter(facts.words),
    cutter(facts.quantities),
    cutter(facts.dates),
  ];
  for (const sentence of splitSentences(facts.text)) {
    const start = facts.text.indexOf(sentence, from);
    from = start + sentence.length;
    const end = from;
    passages.push(
      passageOf(
        { text: facts.text, words: wordsOf(end), quantities: quantitiesOf(end), dates: datesOf(end) },
        { start, end },
      ),
    );
  }
  return passages;
}

/** Returns the next spans that end at or before an offset; the spans are in order. */
function cutter<One extends Span>(spans: readonly One[]): (end: number) => readonly One[] {
  let from = 0;
  return (end) => {
    const start = from;
    while (from < spans.length && (spans[from]?.end ?? 0) <= end) from += 1;
    return spans.slice(start, from);
  };
}

/** The whole text as one passage: a claim is one sentence. */
export function passageOf(
  facts: Pick<StatedFacts, 'text' | 'words' | 'quantities' | 'dates'>,
  span: Span = { start: 0, end: facts.text.length },
): Passage {
  const text = facts.text.slice(span.start, span.end);
  const { words, quantities, dates } = facts;
  const shift = <One extends Span>(one: One): One => ({
    ...one,
    start: one.start + span.start,
    end: one.end + span.start,
  });
  const opposites = findOpposites(text).map(shift);
  const values = [...quantities, ...dates];
  const tokens = [...latinTokens(words), ...hanTokens(text, span.start, opposites)]
    .filter((token) => !values.some((value) => token.start < value.end && value.start < token.end))
    .sort((one, other) => one.start - other.start);
  return {
    ...span,
    text,
    tokens,
    keys: new Set(tokens.map(({ key }) => key)),
    clauses: clausesOf(text).map(shift),
    opposites,
    quantities,
    dates,
    polarity: once(() => polarityOf(text)),
    entities: once(() => entitiesOf(text)),
  };
}

function clausesOf(text: string): Span[] {
  const clauses: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(clauseEnd)) {
    if (match.index > start) clauses.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  return [...clauses, { start, end: text.length }];
}

function latinTokens(words: readonly Word[]): Token[] {
  return words.flatMap(({ lower, start, end, kind }) => {
    if (kind === 'number' || functionWords.has(lower)) return [];
    // "Three-game" is a number and a word.
    const [, number, rest] = /^([a-z]+|\d+)-([a-z]{3,})$/u.exec(lower) ?? [];
    if (number === undefined || rest === undefined) return [{ key: keyOfWord(lower), start, end }];
    const at = start + number.length + 1;
    return [
      { key: keyOfWord(number), start, end: at - 1 },
      { key: keyOfWord(rest), start: at, end },
    ];
  });
}

function keyOfWord(lower: string): string {
  const stem = stemOf(lower);
  return measureKeys.get(stem) ?? stem;
}

/** Two adjacent characters each, since dictionaries split words differently; a word of a table is one token. */
function hanTokens(text: string, offset: number, opposites: readonly Opposite[]): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/\p{Script=Han}+/gu)) {
    for (let at = 0; at < match[0].length - 1; at += 1) {
      const start = offset + match.index + at;
      const measure = measureAt(match[0], at);
      if (measure !== null) {
        tokens.push({ key: measure.key, start, end: start + measure.length });
        at += measure.length - 1;
        continue;
      }
      if (opposites.some((one) => start < one.end && one.start < start + 2)) continue;
      tokens.push({ key: match[0].slice(at, at + 2), start, end: start + 2 });
    }
  }
  return tokens;
}

function measureAt(run: string, at: number): { readonly key: string; readonly length: number } | null {
  for (const length of [4, 3, 2]) {
    const key = measureKeys.get(run.slice(at, at + length));
    if (key !== undefined) return { key, length };
  }
  return null;
}

/** The weight of each key in a text: a word of every sentence distinguishes none. */
export function keyWeights(passages: readonly Passage[]): (key: string) => number {
  const counts = new Map<string, number>();
  for (const { keys } of passages) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const total = Math.max(2, passages.length);
  return (key) => {
    const count = counts.get(key);
    return count === undefined ? 0.4 * Math.log(1 + total) : Math.log(1 + total / count);
  };
}

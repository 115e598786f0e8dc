import { hanBigrams, hanWords } from '../../../language/han-text.ts';
import { toSimplified } from '../../../language/simplified.ts';
import { tokenize } from '../../../language/text-tokens.ts';
import { hanRunKeys, hanWordKey, wordKey } from './words.ts';

/** The terms of a text: words under one key for all forms and synonyms, numbers, pairs of Chinese characters. */
export interface TextTerms {
  readonly keys: ReadonlySet<string>;
  /** Adjacent words: `one two`. */
  readonly pairs: ReadonlySet<string>;
}

/** A word of a question. A text contains it if it has the key, or every part. */
export interface QuestionTerm {
  readonly key: string;
  readonly parts: readonly string[];
}

/** Words that say nothing about the subject of a sentence. */
const stopWords = new Set(
  'a an the of to in on at by for from with as is are was were be been being has have had do does did will would can could should may might must it its he she they we i you his her their our my your this that these those there which who whom whose what when where why how and or but if so than then also any some all more most very just only own such after before during since until while about into over under between against through becaus though although however again still yet now onc here both each other anoth same up down out off per via amid among around toward upon within not no thi wa ha doe hi ani onli veri befor dure sinc ourselv'.split(
    ' ',
  ),
);

export function termsOf(text: string): TextTerms {
  const keys = new Set<string>();
  const pairs = new Set<string>();
  let before = '';
  for (const { kind, text: token } of tokenize(toSimplified(text))) {
    if (kind === 'han') {
      const bigrams = hanBigrams(token);
      for (const key of [...bigrams, ...hanRunKeys(token, bigrams)]) keys.add(key);
      before = '';
    } else if (!isStopWord(kind, token)) {
      const key = kind === 'word' ? wordKey(token) : token;
      keys.add(key);
      if (before !== '') pairs.add(`${before} ${key}`);
      before = key;
    }
  }
  return { keys, pairs };
}

function isStopWord(kind: 'word' | 'number', token: string): boolean {
  return kind === 'word' && (token.length < 2 || stopWords.has(token));
}

/** The terms of a question: its Chinese words by the dictionary, since a pair across two words is in no other text. */
export function questionTerms(text: string): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  for (const { kind, text: token } of tokenize(toSimplified(text))) {
    if (kind === 'han') for (const term of hanTerms(token)) terms.set(term.key, term);
    else if (!isStopWord(kind, token)) {
      const key = kind === 'word' ? wordKey(token) : token;
      terms.set(key, { key, parts: [key] });
    }
  }
  return [...terms.values()];
}

/** Single characters next to each other are a name that the dictionary lacks. */
function hanTerms(run: string): QuestionTerm[] {
  const terms: QuestionTerm[] = [];
  let singles = '';
  const flush = (): void => {
    for (const pair of hanBigrams(singles)) terms.push({ key: pair, parts: [pair] });
    singles = '';
  };
  for (const { text } of hanWords(run)) {
    if (text.length === 1) singles += text;
    else {
      flush();
      terms.push({ key: hanWordKey(text) ?? text, parts: hanBigrams(text) });
    }
  }
  flush();
  return terms;
}

export function contains(keys: ReadonlySet<string>, { key, parts }: QuestionTerm): boolean {
  return keys.has(key) || parts.every((part) => keys.has(part));
}

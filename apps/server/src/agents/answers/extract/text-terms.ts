import { hanBigrams, toSimplified, tokenize } from '@daybook/grounding/text';
import type { TextToken } from '@daybook/grounding/text';

import { segmentHan } from '../../../language/han-segments.ts';
import type { Phrase } from './glossary.ts';
import { baseOf, conceptsOf, findHanGlossaryWords, hanConceptsOf, phrasesAt } from './glossary.ts';
import { hanSound, hanSoundsIn, latinSounds } from './name-sounds.ts';

/** The terms of a text: words under one key for all forms, concepts of the glossary, numbers, pairs of Chinese characters. */
export interface TextTerms {
  readonly keys: ReadonlySet<string>;
  /** Adjacent words: `one two`. */
  readonly pairs: ReadonlySet<string>;
}

/** A word of a question. */
export interface QuestionTerm {
  readonly key: string;
  /** A text contains the term if it has the key, or every part. */
  readonly parts: readonly string[];
  /** A text says the same in another word if it has one of these concepts. */
  readonly concepts: readonly string[];
  /** How a name that the glossary lacks sounds: a text in the other language may contain it. */
  readonly sounds: readonly string[];
  /** The key that it has if it is a part of a name. */
  readonly name?: string;
  /** Counts less: the document is in the other language, and the term cannot be translated. */
  readonly isFaint?: true;
}

/** Words that say nothing about the subject of a sentence. */
const stopWords = new Set(
  'a an the of to in on at by for from with as is are was were be been being has have had do does did will would can could should may might must it its he she they we i you his her their our my your this that these those there which who whom whose what when where why how and or but if so than then also any some all more most very just only own such after before during since until while about into over under between against through becaus though although however again still yet now onc here both each other anoth same up down out off per via amid among around toward upon within not no thi wa ha doe hi ani onli veri befor dure sinc ourselv them thei him himself herself itself themselv me mine'.split(
    ' ',
  ),
);

export function termsOf(text: string): TextTerms {
  const keys = new Set<string>();
  const pairs = new Set<string>();
  const tokens = tokenize(toSimplified(text));
  const bases = tokens.map(baseOfToken);
  // The words of an address have no capitals.
  const isPlain = !tokens.some(({ capital }) => capital);
  let before = '';
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'han') {
      for (const key of hanKeys(token.text)) keys.add(key);
      before = '';
      continue;
    }
    for (const { concepts } of phrasesAt(bases, at)) for (const concept of concepts) keys.add(concept);
    if (isStopWord(token)) continue;
    const key = bases[at] ?? '';
    keys.add(key);
    if (token.kind === 'word') for (const concept of conceptsOf(key)) keys.add(concept);
    if (token.kind === 'word' && (token.capital || isPlain)) keys.add(nameKey(token));
    if (token.capital) for (const sound of latinSounds(token.text)) keys.add(sound);
    if (before !== '') pairs.add(`${before} ${key}`);
    before = key;
  }
  return { keys, pairs };
}

/** The key of a name, which has other forms than the word with its stem: Lowe is not low. */
export function nameKey({ raw }: Pick<TextToken, 'raw'>): string {
  return `=${raw.toLowerCase().replace(/'s$|'/u, '')}`;
}

/** "US" is no form of "use". */
const unitedStates = 'u.s';

function baseOfToken({ kind, text, raw }: TextToken): string {
  if (raw === 'US') return unitedStates;
  return kind === 'word' ? baseOf(text) : text;
}

function hanKeys(run: string): string[] {
  const keys = [...hanBigrams(run), ...hanSoundsIn(run)];
  for (const { text } of findHanGlossaryWords(run)) keys.push(...hanConceptsOf(text));
  // To segment takes most of the time, and only words of one character need it.
  if (Array.from(run).some((character) => hanConceptsOf(character).length > 0))
    for (const { text } of segmentHan(run)) if (text.length === 1) keys.push(...hanConceptsOf(text));
  return keys;
}

function isStopWord({ kind, text }: TextToken): boolean {
  return kind === 'word' && (text.length < 2 || stopWords.has(text));
}

/** The terms of a question: its Chinese words by the glossary and the dictionary, since a pair across two words is in no other text. */
export function questionTerms(text: string): QuestionTerm[] {
  const terms = new Map<string, QuestionTerm>();
  const add = (term: QuestionTerm): void => void (terms.has(term.key) || terms.set(term.key, term));
  const tokens = tokenize(toSimplified(text));
  const bases = tokens.map(baseOfToken);
  let covered = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'han') {
      for (const term of hanTerms(token.text)) add(term);
      continue;
    }
    if (at < covered) continue;
    const phrase = longest(phrasesAt(bases, at));
    if (phrase !== null) {
      add(phraseTerm(phrase));
      covered = at + phrase.stems.length;
    } else if (!isStopWord(token)) {
      const key = bases[at] ?? '';
      const concepts = token.kind === 'word' ? conceptsOf(key) : [];
      add({ key, parts: [key], concepts, sounds: soundsOf(key, token), name: nameKey(token) });
    }
  }
  return [...terms.values()];
}

function soundsOf(key: string, { capital, text }: TextToken): readonly string[] {
  return capital && conceptsOf(key).length === 0 ? latinSounds(text) : [];
}

function longest(phrases: readonly Phrase[]): Phrase | null {
  return phrases.reduce<Phrase | null>(
    (best, one) => (best === null || one.stems.length > best.stems.length ? one : best),
    null,
  );
}

function phraseTerm({ stems, concepts }: Phrase): QuestionTerm {
  const parts = stems.filter((stem) => stem.length > 1 && !stopWords.has(stem));
  return { key: stems.join(' '), parts: parts.length === 0 ? stems : parts, concepts, sounds: [] };
}

/** Words of the glossary first; single characters next to each other are a name that the dictionary lacks. */
function hanTerms(run: string): QuestionTerm[] {
  const terms: QuestionTerm[] = [];
  let from = 0;
  for (const { text, start } of findHanGlossaryWords(run)) {
    terms.push(...dictionaryTerms(run.slice(from, start)), hanTerm(text));
    from = start + text.length;
  }
  return [...terms, ...dictionaryTerms(run.slice(from))];
}

/** Characters that are words of grammar, or count things. */
const functionCharacters = new Set(
  '为向对把给从到由让使也都就而且但以用于至每各名位只个宗架辆条家次件间款项种枚可能要想说称指据按与及或并其该此这那所之'.split(
    '',
  ),
);

function dictionaryTerms(run: string): QuestionTerm[] {
  const terms: QuestionTerm[] = [];
  let singles = '';
  const flush = (): void => {
    const sound = hanSound(singles);
    if (sound !== null)
      terms.push({ key: singles, parts: hanBigrams(singles), concepts: [], sounds: [sound] });
    else for (const pair of hanBigrams(singles)) terms.push(hanTerm(pair));
    for (const character of singles) {
      const concepts = hanConceptsOf(character);
      if (concepts.length > 0) terms.push({ key: character, parts: [character], concepts, sounds: [] });
    }
    singles = '';
  };
  for (const { text } of segmentHan(run)) {
    if (functionCharacters.has(text)) flush();
    else if (text.length === 1) singles += text;
    else {
      flush();
      terms.push(hanTerm(text));
    }
  }
  flush();
  return terms;
}

function hanTerm(word: string): QuestionTerm {
  const concepts = hanConceptsOf(word);
  const sound = concepts.length > 0 ? null : hanSound(word);
  return { key: word, parts: hanBigrams(word), concepts, sounds: sound === null ? [] : [sound] };
}

/** A concept says less than the word itself: words of one concept differ in meaning. */
const conceptMatch = 0.85;

/** How well a text with these keys contains a term, from 0 to 1. */
export function matchOf(keys: ReadonlySet<string>, { key, parts, concepts }: QuestionTerm): number {
  if (keys.has(key) || parts.every((part) => keys.has(part))) return 1;
  return concepts.some((concept) => keys.has(concept)) ? conceptMatch : 0;
}

export function contains(keys: ReadonlySet<string>, term: QuestionTerm): boolean {
  return matchOf(keys, term) > 0;
}

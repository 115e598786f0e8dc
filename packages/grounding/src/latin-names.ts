import type { Word } from './latin-words.ts';
import { isCapitalized, stem } from './latin-words.ts';
import { ordinaryWords } from './ordinary-words.ts';

/** The index of a text for lookups of names in Latin letters. */
export interface NameIndex {
  readonly words: ReadonlySet<string>;
  /** Stems of words that also occur in lower case, so that they are not names. */
  readonly lowerStems: ReadonlySet<string>;
  /** `first second` for every two words at most `near` apart. */
  readonly pairs: ReadonlySet<string>;
}

const near = 3;
const connectors = new Set(['of', 'the', 'de', 'van', 'von', 'der', 'la', 'and', 'for', '&']);
/** The name of a people follows from that of the place, and the other way round. */
const derivedEndings = ['n', 'an', 'ian', 'ns', 'ans', 'ians', 'ese', 'ish', 's', 'es', 'i', 'a'];
/** Places whose people have another name. */
const samePlace: readonly (readonly string[])[] = [
  ['u.s', 'us', 'usa', 'america', 'american', 'americans'],
  ['u.k', 'uk', 'britain', 'british', 'briton', 'britons'],
  ['e.u', 'eu', 'europe', 'european', 'europeans'],
  ['france', 'french'],
  ['germany', 'german', 'germans'],
  ['netherlands', 'dutch'],
  ['china', 'chinese', 'beijing'],
  ['spain', 'spanish'],
];

export function indexNames(words: readonly Word[]): NameIndex {
  const pairs = new Set<string>();
  const parts = words.flatMap((word) => nameParts(word.lower));
  parts.forEach((first, at) => {
    for (let step = 1; step <= near; step += 1) {
      const second = parts[at + step];
      if (second !== undefined) pairs.add(`${first} ${second}`);
    }
  });
  const present = new Set([...parts, ...words.map(({ lower }) => lower), ...acronyms(words)]);
  const places = samePlace.filter((names) => names.some((name) => present.has(name)));
  return {
    words: new Set([...present, ...places.flat()]),
    lowerStems: lowerStemsOf(words),
    pairs,
  };
}

/** SEC, if the text contains Securities and Exchange Commission. */
function* acronyms(words: readonly Word[]): Generator<string> {
  for (let from = 0; from < words.length; from += 1) {
    let initials = '';
    for (const word of words.slice(from, from + 7)) {
      if (initials !== '' && !word.follows) break;
      if (isCapitalized(word.text)) initials += word.lower[0] ?? '';
      else if (!connectors.has(word.lower)) break;
      if (initials.length > 1) yield initials;
    }
  }
}

/** Names of the sentence that no text supports, as written. */
export function unsupportedNames(
  words: readonly Word[],
  index: NameIndex,
  isTaken: (word: Word) => boolean,
): string[] {
  const inHeadline = isHeadline(words);
  const candidates = words.map((word, at) =>
    isTaken(word) ? false : isNameCandidate(word, words[at + 1], index, inHeadline),
  );
  const missing: string[] = [];
  words.forEach((word, at) => {
    if (candidates[at] !== true) return;
    if (!isKnown(word, index)) missing.push(word.text);
    else if (!inHeadline && !joinsAsStated(words, at, candidates, index))
      missing.push(`${words[at - 1]?.text ?? ''} ${word.text}`);
  });
  return missing;
}

/** Names of a text, adjacent words joined, in lower case. */
export function findLatinNames(words: readonly Word[], isTaken: (word: Word) => boolean): string[] {
  const none: NameIndex = { words: new Set(), lowerStems: lowerStemsOf(words), pairs: new Set() };
  const inHeadline = isHeadline(words);
  const names: string[] = [];
  let open: string[] = [];
  words.forEach((word, at) => {
    const isName = !isTaken(word) && isNameCandidate(word, words[at + 1], none, inHeadline);
    if (open.length > 0 && (!isName || !word.follows)) {
      names.push(open.join(' '));
      open = [];
    }
    if (isName) open.push(word.lower);
  });
  if (open.length > 0) names.push(open.join(' '));
  return names;
}

function lowerStemsOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.filter(({ text }) => !isCapitalized(text)).map(({ lower }) => stem(lower)));
}

/** If every word is capitalised, capitals do not indicate names. */
function isHeadline(words: readonly Word[]): boolean {
  const long = words.filter(({ kind, text }) => kind === 'word' && text.length > 3);
  return long.length > 3 && long.filter(({ text }) => isCapitalized(text)).length / long.length > 0.7;
}

function isNameCandidate(word: Word, next: Word | undefined, index: NameIndex, inHeadline: boolean): boolean {
  if (word.kind === 'number') return false;
  if (word.kind === 'code') return true;
  if (!isCapitalized(word.text) || ordinaryWords.has(word.lower)) return false;
  // An initial, or a contraction such as "We'd".
  if (word.text.length === 1 || /['’]/u.test(word.text)) return false;
  if (index.lowerStems.has(stem(word.lower))) return false;
  if (inHeadline) return true;
  const goesOn = next?.follows === true;
  if (!word.opens || (goesOn && isCapitalized(next.text))) return true;
  return !(goesOn && looksLikeOpening(word.lower));
}

/** Plural agents ("Investors"), adverbs ("Separately"), participles ("Speaking"): words that open sentences. */
function looksLikeOpening(lower: string): boolean {
  return /(?:ers|ors|ists|ants|ents|ly|ing|ions|ies|ments|ness|ism|ships?)$/u.test(lower);
}

function isKnown(word: Word, index: NameIndex): boolean {
  if (index.words.has(word.lower)) return true;
  if (nameParts(word.lower).every((part) => index.words.has(part) || isDerived(part, index))) return true;
  return word.kind === 'code' && index.words.has(word.lower.replace(/[-_/.]/gu, ''));
}

function isDerived(part: string, index: NameIndex): boolean {
  if (part.length < 4) return false;
  if (ordinaryWords.has(part) || index.lowerStems.has(stem(part))) return true;
  return variants(part).some((variant) => index.words.has(variant));
}

/** America, American, Americans. */
function variants(part: string): string[] {
  const roots = derivedEndings
    .filter((ending) => part.endsWith(ending) && part.length - ending.length >= 4)
    .map((ending) => part.slice(0, -ending.length));
  return [part, ...roots].flatMap((root) => [root, ...derivedEndings.map((ending) => root + ending)]);
}

/** "Sam Altman" requires both words near each other, not a Sam and an Altman in different places. */
function joinsAsStated(
  words: readonly Word[],
  at: number,
  candidates: readonly boolean[],
  index: NameIndex,
): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (before === undefined || word === undefined || !word.follows || before.possessive) return true;
  if (candidates[at - 1] !== true) return true;
  const [first] = nameParts(before.lower).slice(-1);
  const [second] = nameParts(word.lower);
  if (first === undefined || second === undefined) return true;
  return variants(second).some((variant) => index.pairs.has(`${first} ${variant}`));
}

function nameParts(lower: string): string[] {
  return lower
    .replace(/['’]s$/u, '')
    .split(/[-/_]/u)
    .filter((part) => part !== '' && !connectors.has(part));
}

import type { Span } from './language/plain-text.ts';
import { findWords, isCapitalized } from './latin-words.ts';
import { functionWords } from './negation.ts';
import { ordinaryWords } from './ordinary-words.ts';

/** A name in Latin letters: adjacent capitalised words. */
export interface Entity extends Span {
  readonly text: string;
  readonly words: readonly string[];
}

const calendar =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?$/u;

/** Names that are words in lower case. */
const places = new Set(['US', 'U.S', 'UK', 'UN', 'EU']);

export function entitiesOf(text: string): Entity[] {
  const entities: Entity[] = [];
  let open: { start: number; end: number; words: string[] } | null = null;
  for (const word of findWords(text)) {
    const isName =
      places.has(word.text) ||
      (isCapitalized(word.text) &&
        word.kind !== 'number' &&
        !ordinaryWords.has(word.lower) &&
        !functionWords.has(word.lower) &&
        !calendar.test(word.lower));
    if (!isName) open = null;
    else if (open !== null && word.follows && !word.opens) {
      open.words.push(word.lower);
      open.end = word.end;
      entities[entities.length - 1] = { ...open, text: text.slice(open.start, open.end) };
    } else {
      open = { start: word.start, end: word.end, words: [word.lower] };
      entities.push({ ...open, text: text.slice(word.start, word.end) });
    }
    if (word.possessive) open = null;
  }
  return entities;
}

/** Whether two names share a word; Sweden and Swedish do, UK and U.K. do. */
export function sharesWord(one: Entity, other: Entity): boolean {
  return one.words.some((word) => other.words.some((second) => isSameWord(word, second)));
}

function isSameWord(one: string, other: string): boolean {
  if (one.replaceAll('.', '') === other.replaceAll('.', '')) return true;
  return one.length > 4 && other.length > 4 && one.slice(0, 4) === other.slice(0, 4);
}

import { hashOf, tableSize } from './judgement/text-features.ts';

const token =
  /https?:\S+|\b[\w.\-]+\.(?:example|com|net|org|cn|io)\b\S*|\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+(?:['’\-][[\p{L}\p{N}]--\p{Script=Han}]+)*|[:：=?？!！,，;；\|｜\{\}<>\(\)（）“”"「」【】\[\]]/gv;

/** The end of a sentence, and what precedes its first word. */
const edge = hashOf('^');
const name = hashOf('N');

/**
 * Places of the terms of a sentence in a table of weights: words, pairs of words and pairs with a word between them, the
 * beginning and the end; in Chinese single characters, pairs and triples, and the beginning of each clause. Names,
 * numbers and addresses are classes: an instruction can name anything.
 */
export function termPlaces(text: string): readonly number[] {
  const found = (text.match(token) ?? []).map(readToken);
  const isTitleCase = found.filter(({ isCapital }) => isCapital).length * 2 > found.length;
  const places = new Set<number>();
  let [before, beforeThat] = [edge, 0];
  for (const [at, { hash, letters, isCapital, han }] of found.entries()) {
    if (han !== '') {
      addHan(places, han, before);
      [before, beforeThat] = [han.charCodeAt(han.length - 1), 0];
      continue;
    }
    const word = isCapital && at > 0 && !isTitleCase ? name : hash;
    places.add(placeOf(word, 1)).add(placeOf(before, word));
    if (letters !== 0 && word === hash) places.add(letters);
    if (beforeThat !== 0)
      places.add(placeOf(placeOf(beforeThat, 2), word)).add(placeOf(placeOf(beforeThat, before), word));
    [before, beforeThat] = [word, before];
  }
  places.add(placeOf(before, edge));
  return [...places];
}

/** The terms of a sentence count together, whatever its length. */
export const termShare = (count: number): number => 1 / Math.sqrt(Math.max(6, count));

interface Token {
  readonly hash: number;
  /** Of the letters in alphabetical order: "ingore" has those of "ignore". 0 for a short word. */
  readonly letters: number;
  readonly isCapital: boolean;
  /** The token itself, if it is Chinese. */
  readonly han: string;
}

/** Most words of a text occur in others. */
const knownTokens = new Map<string, Token>();
const knownTokensMax = 20_000;

function readToken(text: string): Token {
  const known = knownTokens.get(text);
  if (known !== undefined) return known;
  const han = /^\p{Script=Han}/u.test(text) ? text : '';
  const word = han === '' ? classOf(text) : '';
  const read: Token = {
    hash: hashOf(word),
    letters: word.length > 4 ? hashOf(`~${word.split('').sort().join('')}`) : 0,
    isCapital: /^\p{Lu}/u.test(text),
    han,
  };
  if (han !== '') return read;
  if (knownTokens.size >= knownTokensMax) knownTokens.clear();
  knownTokens.set(text, read);
  return read;
}

/** Numbers and addresses are classes; every other word is itself. */
function classOf(word: string): string {
  if (/^https?:|\.\p{L}/u.test(word)) return '@';
  if (/\d/u.test(word)) return '0';
  return word.toLowerCase().replace(/['’]s$/u, '');
}

function addHan(places: Set<number>, run: string, before: number): void {
  const [first, second] = [run.charCodeAt(0), run.charCodeAt(1)];
  places.add(placeOf(before, first));
  if (run.length > 1) places.add(placeOf(placeOf(before, first), second));
  for (let at = 0; at < run.length; at += 1) {
    const one = placeOf(run.charCodeAt(at), 3);
    places.add(one);
    if (at + 1 >= run.length) return;
    const two = placeOf(one, run.charCodeAt(at + 1));
    places.add(two);
    if (at + 2 < run.length) places.add(placeOf(two, run.charCodeAt(at + 2)));
  }
}

/** Two numbers mixed into a place. */
function placeOf(one: number, other: number): number {
  const mixed = Math.imul(Math.imul(one + 0x9e_37, 0x85_eb_ca_6b) ^ (other + 0x7f_4a), 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 15)) & (tableSize - 1);
}

import { stem, stopWords } from './word-stem.ts';

/** A note states its topic early; text beyond this limit is not read, so that time is bounded. */
export const textCharsMax = 4000;
const headingCharsMax = 200;
const headingsMax = 6;

export interface NoteToken {
  /** As written, for the reasons. */
  readonly raw: string;
  /** Stemmed and lower-cased, for look-ups. A run of Chinese is one token with an empty key. */
  readonly key: string;
  /** False for stop words, numbers and what is too short or too long to be a word. */
  readonly telling: boolean;
}

const wordCharsMax = 24;
/** Words repeat: each is stemmed once. Emptied when full, so that hostile notes cannot make it grow. */
const seen = new Map<string, NoteToken>();
const seenMax = 50_000;

const linkTarget = /\]\((https?:\/\/[^\s)]*)[^)]*\)|(https?:\/\/[^\s)>\]]+)/g;
const wordOrHan = /[\p{Script=Han}]+|[\p{L}\p{N}](?:[\p{L}\p{N}'’+#&-]*[\p{L}\p{N}+#])?/gu;
const hanStart = /^\p{Script=Han}/u;

export function bounded(text: string): string {
  return text.length > textCharsMax ? text.slice(0, textCharsMax) : text;
}

export function boundedHeadings(headings: readonly string[]): readonly string[] {
  return headings.slice(-headingsMax).map((heading) => heading.slice(0, headingCharsMax));
}

export function isHan(raw: string): boolean {
  return hanStart.test(raw);
}

/** Addresses shrink to the name of their site: the path of a link is about the site's habits, not the note. */
export function tokens(text: string): readonly NoteToken[] {
  const plain = text.includes('://') ? text.replace(linkTarget, onlySite) : text;
  const words = plain.match(wordOrHan) ?? [];
  return words.map((raw) => seen.get(raw) ?? token(raw));
}

function token(raw: string): NoteToken {
  const lower = raw.toLowerCase().replaceAll('’', "'");
  const key = isHan(raw) ? '' : stem(lower);
  const telling = key.length > 1 && key.length < wordCharsMax && !stopWords.has(lower) && !/^\d/.test(key);
  const made = { raw, key, telling };
  if (raw.length < wordCharsMax) {
    if (seen.size >= seenMax) seen.clear();
    seen.set(raw, made);
  }
  return made;
}

function onlySite(_: string, inside?: string, bare?: string): string {
  return ` ${siteName(inside ?? bare ?? '')} `;
}

function siteName(address: string): string {
  const host = /^https?:\/\/(?:www\.|m\.|en\.)?([^/:?#]+)/.exec(address)?.[1] ?? '';
  const labels = host.split('.');
  return labels.length > 1 ? (labels.at(-2) ?? '') : host;
}

/** Chinese has no spaces: two adjacent characters count as a word. */
export function hanPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

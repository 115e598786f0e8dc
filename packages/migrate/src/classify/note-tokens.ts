import { stem } from './word-stem.ts';

/** A note says what it is about early; what lies beyond is not read, so that time is bounded. */
export const textCharsMax = 4000;
const headingCharsMax = 200;
const headingsMax = 6;

export interface NoteToken {
  /** As written, for the reasons. */
  readonly raw: string;
  /** Stemmed and lower-cased, for look-ups. A run of Chinese is one token with an empty key. */
  readonly key: string;
}

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
  const found: NoteToken[] = [];
  const plain = text.replace(linkTarget, (_, inside?: string, bare?: string) => {
    return ` ${siteName(inside ?? bare ?? '')} `;
  });
  for (const match of plain.matchAll(wordOrHan)) {
    const raw = match[0];
    if (isHan(raw)) found.push({ raw, key: '' });
    else found.push({ raw, key: stem(raw.toLowerCase().replaceAll('’', "'")) });
  }
  return found;
}

function siteName(address: string): string {
  const host = /^https?:\/\/(?:www\.|m\.|en\.)?([^/:?#]+)/.exec(address)?.[1] ?? '';
  const labels = host.split('.');
  return labels.length > 1 ? (labels.at(-2) ?? '') : host;
}

/** Chinese has no spaces: two characters side by side stand for a word. */
export function hanPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

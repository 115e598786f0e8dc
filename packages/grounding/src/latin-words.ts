import type { Span } from './language/plain-text.ts';

/** A word in Latin letters or a number, with its context. */
export interface Word extends Span {
  /** As written, without a possessive ending. */
  readonly text: string;
  readonly lower: string;
  readonly kind: 'word' | 'number' | 'code';
  /** Whether only spaces or a hyphen separate it from the previous word. */
  readonly follows: boolean;
  /** Written with a possessive ending, which `text` omits. */
  readonly possessive: boolean;
  /** First of its sentence or quotation, where every word is capitalised. */
  readonly opens: boolean;
}

const wordForm =
  /\p{Script=Latin}[\p{Script=Latin}\p{M}\d]*(?:[.&+/'’_-][\p{Script=Latin}\p{M}\d]+)*\+*|\d[\d.,]*\d(?:\p{Script=Latin}[\p{Script=Latin}\d-]*)?|\d\p{Script=Latin}[\p{Script=Latin}\d-]*|\d/gu;

export function findWords(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(wordForm)) {
    const between = text.slice(end, match.index);
    const written = match[0].replace(/['’]s$|['’]$/iu, '');
    words.push({
      text: written,
      lower: written.toLowerCase(),
      kind: kindOf(written),
      follows: words.length > 0 && /^[ -]?$/u.test(between),
      possessive: written !== match[0],
      opens: words.length === 0 || /[.!?:。\n“"‘]\s*$/u.test(between) || /[。！？]/u.test(between),
      start: match.index,
      end: match.index + match[0].length,
    });
    end = match.index + match[0].length;
  }
  return words;
}

function kindOf(text: string): Word['kind'] {
  if (/^[\d.,]+$/u.test(text)) return 'number';
  const mixed = /\d/u.test(text) || /[/_+]/u.test(text) || /\p{Ll}\.\p{L}/u.test(text);
  return mixed || /\p{Ll}\p{Lu}/u.test(text) ? 'code' : 'word';
}

export function isCapitalized(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}

/** An approximate dictionary form: "raises" matches "raised" and "investors" matches "investor". */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length <= 4) return lower.replace(/s$/u, '');
  return lower
    .replace(/(?:'s|’s)$/u, '')
    .replace(/ies$/u, 'y')
    .replace(/(?:ing|ed|es|s|er|ers|ly)$/u, '')
    .replace(/([b-df-hj-np-tv-z])\1$/u, '$1')
    .replace(/e$/u, '');
}

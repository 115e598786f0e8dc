import type { Span } from './language/plain-text.ts';
import type { Word } from './latin-words.ts';
import { isCapitalized } from './latin-words.ts';
import { ordinaryWords } from './ordinary-words.ts';

/** A product by its name and number: GPT-5.5, Opus 4.8, H200, v0.12.0. */
export interface Version extends Span {
  readonly text: string;
  readonly number: string;
  /** The words that the number belongs to, nearest first, in lower case; empty for a bare number. */
  readonly heads: readonly string[];
}

/** 60fps, 1080p, 4K: a quantity with its unit. */
const measuredCode = /^\d[\d.,]*\p{L}+$/u;
const insideCode = /^(\p{L}*?)-?v?(\d+(?:\.\d+)*)/iu;

/** `isTaken` returns whether a number was already read as a quantity or a date. */
export function findVersions(words: readonly Word[], isTaken: (span: Span) => boolean): Version[] {
  return words.flatMap((word, at) => {
    if (word.kind === 'code') return codeVersion(words, at);
    if (word.kind !== 'number' || isTaken(word)) return [];
    const heads = headsBefore(words, at);
    const number = word.text.replace(/[.,]+$/u, '');
    // Four digits and more are counts ("Jump 51000" is a headline), and two numbers with a hyphen a score or a range.
    if (heads.length === 0 || /,|^\d{4}/u.test(number) || touchesNumber(words, at)) return [];
    const first = words[at - 1];
    return [{ text: `${first?.text ?? ''} ${number}`, number, heads, start: word.start, end: word.end }];
  });
}

function touchesNumber(words: readonly Word[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  return next?.kind === 'number' && next.follows && next.start === (word?.end ?? 0) + 1;
}

function codeVersion(words: readonly Word[], at: number): Version[] {
  const word = words[at];
  const [, letters = '', number] = insideCode.exec(word?.lower ?? '') ?? [];
  if (word === undefined || number === undefined || measuredCode.test(word.lower)) return [];
  const own = letters === '' || letters === 'v' ? [] : [letters];
  return [
    {
      text: word.text,
      number,
      heads: [...own, ...headsBefore(words, at)],
      start: word.start,
      end: word.end,
    },
  ];
}

/** Up to three capitalised words directly before. */
function headsBefore(words: readonly Word[], at: number): string[] {
  const heads: string[] = [];
  for (let index = at; index > 0 && heads.length < 3; index -= 1) {
    const before = words[index - 1];
    if (words[index]?.follows !== true || before === undefined || before.kind === 'number') break;
    const [, letters = before.lower] = before.kind === 'code' ? (insideCode.exec(before.lower) ?? []) : [];
    if (!isCapitalized(before.text) && before.kind !== 'code') break;
    if (ordinaryWords.has(before.lower)) break;
    heads.push(letters === '' ? before.lower : letters);
  }
  return heads;
}

/** The same number with a shared name; a number without a name must at least occur as one. */
export function isVersionOf(claimed: Version, stated: Version): boolean {
  if (claimed.number !== stated.number) return false;
  const [head] = claimed.heads;
  return head === undefined || stated.heads.length === 0 || stated.heads.includes(head);
}

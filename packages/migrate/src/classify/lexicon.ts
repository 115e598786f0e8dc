import { readFileSync } from 'node:fs';

import type { NoteToken } from './note-tokens.ts';
import { isHan } from './note-tokens.ts';
import { stem } from './word-stem.ts';

const phraseWordsMax = 3;
const hanCharsMax = 4;

export interface Lexicon {
  /** Section → its description for the user. */
  readonly descriptions: ReadonlyMap<string, string>;
  /** Phrase key → sections it belongs to. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  /** First word of a phrase → words of the longest phrase that begins with it. */
  readonly starts: ReadonlyMap<string, number>;
}

export interface LexiconHit {
  readonly section: string;
  readonly raw: string;
}

/** Sections are `[key] description`, followed by lines of entries with commas between them. */
export function parseLexicon(source: string): Lexicon {
  const descriptions = new Map<string, string>();
  const phrases = new Map<string, string[]>();
  const starts = new Map<string, number>();
  let section = '';
  for (const line of source.split('\n')) {
    const head = /^\[([^\]]+)\]\s*(.*)$/.exec(line);
    if (head) {
      section = head[1] ?? '';
      descriptions.set(section, head[2] ?? '');
      continue;
    }
    for (const entry of line.split(',')) {
      const key = phraseKey(entry.trim().toLowerCase());
      if (key === '') continue;
      const sections = phrases.get(key) ?? [];
      if (!sections.includes(section)) sections.push(section);
      phrases.set(key, sections);
      const words = key.split(' ');
      const start = words[0] ?? '';
      starts.set(start, Math.min(phraseWordsMax, Math.max(words.length, starts.get(start) ?? 0)));
    }
  }
  return { descriptions, phrases, starts };
}

export function readLexicon(name: string): Lexicon {
  return parseLexicon(readFileSync(new URL(`./lexicon/${name}.txt`, import.meta.url), 'utf8'));
}

export function phraseKey(phrase: string): string {
  return phrase
    .split(/\s+/)
    .map((word) => (isHan(word) ? word : stem(word)))
    .join(' ');
}

/** Every section a phrase of the note belongs to; a longer phrase wins over the shorter ones inside it. */
export function lexiconHits(lexicon: Lexicon, found: readonly NoteToken[]): readonly LexiconHit[] {
  const hits: LexiconHit[] = [];
  let index = 0;
  while (index < found.length) {
    const token = found[index];
    if (token === undefined) break;
    if (token.key === '') {
      hanHits(lexicon, token.raw, hits);
      index += 1;
      continue;
    }
    index += phraseHit(lexicon, found, index, hits);
  }
  return hits;
}

function phraseHit(lexicon: Lexicon, found: readonly NoteToken[], start: number, hits: LexiconHit[]): number {
  const longest = Math.min(lexicon.starts.get(found[start]?.key ?? '') ?? 0, found.length - start);
  for (let words = longest; words > 0; words -= 1) {
    const sections = lexicon.phrases.get(joined(found, start, words, 'key'));
    if (sections === undefined) continue;
    const raw = joined(found, start, words, 'raw');
    for (const section of sections) hits.push({ section, raw });
    return words;
  }
  return 1;
}

function joined(found: readonly NoteToken[], start: number, words: number, part: 'key' | 'raw'): string {
  let phrase = found[start]?.[part] ?? '';
  for (let index = start + 1; index < start + words; index += 1) phrase += ` ${found[index]?.[part] ?? ''}`;
  return phrase;
}

function hanHits(lexicon: Lexicon, run: string, hits: LexiconHit[]): void {
  const characters = Array.from(run);
  for (let start = 0; start < characters.length; start += 1) {
    for (let length = Math.min(hanCharsMax, characters.length - start); length > 0; length -= 1) {
      const raw = characters.slice(start, start + length).join('');
      const sections = lexicon.phrases.get(raw);
      if (sections === undefined) continue;
      for (const section of sections) hits.push({ section, raw });
      start += length - 1;
      break;
    }
  }
}

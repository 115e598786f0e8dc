/** A text to look for. */
export interface DuplicatePattern {
  readonly id: string;
  readonly text: string;
}

const anchorChars = 16;
const base = 31;

/**
 * Which of many texts occur in others as they are (Rabin and Karp): one pass over each text that is searched, whatever
 * the number of patterns.
 */
export class DuplicateFinder {
  readonly #anchored = new Map<number, DuplicatePattern[]>();
  readonly #short: DuplicatePattern[] = [];
  readonly #highest: number;

  constructor(patterns: Iterable<DuplicatePattern>) {
    let highest = 1;
    for (let count = 1; count < anchorChars; count += 1) highest = Math.imul(highest, base);
    this.#highest = highest;
    for (const pattern of patterns) this.#add(pattern);
  }

  #add(pattern: DuplicatePattern): void {
    if (pattern.text === '') return;
    if (pattern.text.length < anchorChars) {
      this.#short.push(pattern);
      return;
    }
    let hash = 0;
    for (let at = 0; at < anchorChars; at += 1) hash = next(hash, pattern.text.charCodeAt(at));
    const same = this.#anchored.get(hash);
    if (same === undefined) this.#anchored.set(hash, [pattern]);
    else same.push(pattern);
  }

  /** Ids of all patterns that are substrings of `text`. */
  find(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const pattern of this.#short) if (text.includes(pattern.text)) found.add(pattern.id);
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at >= anchorChars) hash = (hash - Math.imul(text.charCodeAt(at - anchorChars), this.#highest)) | 0;
      hash = next(hash, text.charCodeAt(at));
      const start = at - anchorChars + 1;
      if (start < 0) continue;
      for (const pattern of this.#anchored.get(hash) ?? []) {
        if (!found.has(pattern.id) && text.startsWith(pattern.text, start)) found.add(pattern.id);
      }
    }
    return found;
  }
}

function next(hash: number, code: number): number {
  return (Math.imul(hash, base) + code) | 0;
}

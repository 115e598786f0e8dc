/** A text to look for. */
export interface DuplicatePattern {
  readonly id: string;
  readonly text: string;
}

/** A pattern is looked up by its first characters: as many of these as it has. */
const anchorSizes = [16, 4, 1] as const;
const base = 31;

interface Anchors {
  readonly size: number;
  /** What a character adds to a hash when it is the oldest of `size`. */
  readonly highest: number;
  readonly patterns: Map<number, DuplicatePattern[]>;
}

/**
 * Which of many texts occur in others as they are (Rabin and Karp): one pass over each text that is searched, whatever
 * the number of patterns.
 */
export class DuplicateFinder {
  readonly #anchors: readonly Anchors[];

  constructor(patterns: Iterable<DuplicatePattern>) {
    const anchors = anchorSizes.map((size): Anchors => {
      let highest = 1;
      for (let count = 1; count < size; count += 1) highest = Math.imul(highest, base);
      return { size, highest, patterns: new Map() };
    });
    for (const pattern of patterns) {
      const anchor = anchors.find(({ size }) => pattern.text.length >= size);
      if (anchor !== undefined) addPattern(anchor, pattern);
    }
    this.#anchors = anchors.filter(({ patterns: found }) => found.size > 0);
  }

  /** Ids of all patterns that are substrings of `text`. */
  find(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const anchors of this.#anchors) search(anchors, text, found);
    return found;
  }
}

function addPattern({ size, patterns }: Anchors, pattern: DuplicatePattern): void {
  let hash = 0;
  for (let at = 0; at < size; at += 1) hash = next(hash, pattern.text.charCodeAt(at));
  const same = patterns.get(hash);
  if (same === undefined) patterns.set(hash, [pattern]);
  else same.push(pattern);
}

function search({ size, highest, patterns }: Anchors, text: string, found: Set<string>): void {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= size) hash = (hash - Math.imul(text.charCodeAt(at - size), highest)) | 0;
    hash = next(hash, text.charCodeAt(at));
    const start = at - size + 1;
    if (start < 0) continue;
    for (const pattern of patterns.get(hash) ?? []) {
      if (!found.has(pattern.id) && text.startsWith(pattern.text, start)) found.add(pattern.id);
    }
  }
}

function next(hash: number, code: number): number {
  return (Math.imul(hash, base) + code) | 0;
}

// Words are not split: Chinese has no spaces between them, and a term may occur inside a word. The index contains
// short runs of characters ("grams"); its matches are rechecked with the terms themselves.

const fieldSeparator = '\n';
const termsIndexedMax = 8;
const gramsPerTermMax = 24;

/** Folds compatibility forms and case, so that text that looks equal to readers is equal. */
export function normalizeSearchText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('\0', '');
}

/** All searchable text. A term contains no white space, so no match can span two fields. */
export function searchTextOf(fields: readonly (string | null)[]): string {
  return fields
    .filter((field) => field !== null)
    .map(normalizeSearchText)
    .join(fieldSeparator);
}

/** Every term must occur. */
export function searchTermsOf(query: string): readonly string[] {
  return [...new Set(normalizeSearchText(query).split(/\s+/u))].filter((term) => term !== '');
}

/** For storing: each gram that any term could need, once, in order. */
export function gramsOfText(searchText: string): readonly number[] {
  const grams = new Set<number>();
  for (const run of searchText.split(/\s+/u)) {
    const points = codePointsOf(run);
    for (let at = 0; at < points.length; at += 1) {
      if (!isPlain(points[at] as number)) grams.add(gramOf(points, at, 1));
      if (at + 1 < points.length) grams.add(gramOf(points, at, 2));
      if (at + 2 < points.length && !hasIdeograph(points, at, 3)) grams.add(gramOf(points, at, 3));
    }
  }
  return [...grams].sort((a, b) => a - b);
}

/**
 * For querying: grams that every match contains. Three letters select more than two, but two ideographs are a
 * word. Empty if only the recheck can decide (a single letter, which nearly every text has).
 */
export function gramsOfTerms(terms: readonly string[]): readonly number[] {
  const grams = new Set<number>();
  for (const term of terms.slice(0, termsIndexedMax)) {
    for (const gram of gramsOfTerm(codePointsOf(term)).slice(0, gramsPerTermMax)) grams.add(gram);
  }
  return [...grams].sort((a, b) => a - b);
}

function gramsOfTerm(points: readonly number[]): readonly number[] {
  if (points.length === 1) return isPlain(points[0] as number) ? [] : [gramOf(points, 0, 1)];
  if (points.length === 2) return [gramOf(points, 0, 2)];
  const grams: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 1) {
    if (hasIdeograph(points, at, 2)) grams.push(gramOf(points, at, 2));
    else if (at + 2 < points.length && !hasIdeograph(points, at, 3)) grams.push(gramOf(points, at, 3));
  }
  return grams.length > 0 ? grams : [gramOf(points, 0, 2)];
}

function codePointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) as number);
}

/** a to z and digits: too common alone to be indexed. */
function isPlain(point: number): boolean {
  return (point >= 97 && point <= 122) || (point >= 48 && point <= 57);
}

/** Scripts whose characters carry about as much as a syllable or a word. */
function hasIdeograph(points: readonly number[], from: number, length: number): boolean {
  for (let at = from; at < from + length; at += 1) {
    const point = points[at] as number;
    if (point >= 0x2e80 && (point <= 0xd7ff || (point >= 0xf900 && point <= 0xfaff) || point >= 0x20000))
      return true;
  }
  return false;
}

/** A signed 32-bit hash. A collision of two grams only costs a recheck. */
function gramOf(points: readonly number[], from: number, length: number): number {
  let hash = 0x811c9dc5 ^ length;
  for (let at = from; at < from + length; at += 1) {
    hash = Math.imul(hash ^ (points[at] as number), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  }
  return hash ^ (hash >>> 13);
}

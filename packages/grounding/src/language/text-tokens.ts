import { stemmer } from './stemmer.ts';

/** A token of a text in reading order: a word, a number as written, or a run of Chinese characters. */
export interface TextToken {
  readonly kind: 'word' | 'number' | 'han';
  /** Words are lower-cased and stemmed; numbers have no thousands separators. */
  readonly text: string;
  /** As written. */
  readonly raw: string;
  /** Words only: written with a capital inside or all in capitals, like names of products and companies. */
  readonly marked: boolean;
  /** Words only: begins with a capital, which indicates a name in a sentence, but not in title case. */
  readonly capital: boolean;
  /** Whether at most a space or a hyphen separates it from the previous token. */
  readonly adjacent: boolean;
}

interface Piece {
  readonly kind: TextToken['kind'];
  readonly raw: string;
  readonly from: number;
  readonly to: number;
}

const pieces =
  /\p{Script=Han}+|(?<![\p{L}\p{N}])\p{Script=Latin}(?:\.\p{Script=Latin})+(?:\.|(?![\p{L}\p{M}\p{N}]))|[\p{Script=Latin}\p{M}]+(?:'[\p{Script=Latin}]+)?|\d+(?:,\d{3})*(?:\.\d+)*/gu;
const initials = /^\p{L}\./u;
/** Letters before a number that belong to it: `H200`, `K2.6`, `GB200`. Longer ones are a name and its version. */
const gluedLettersMax = 2;
/** Caches the stem of each word. Cleared when full, so that hostile text cannot make it grow. */
const stems = new Map<string, string>();
const stemsMax = 50_000;

export function tokenize(text: string): readonly TextToken[] {
  const plain = normalizeTokenText(text);
  const found: Piece[] = [];
  for (const match of plain.matchAll(pieces)) {
    const [written] = match;
    // Dotted initials are one word: G.O.P. is GOP.
    const raw = initials.test(written) ? written.replaceAll('.', '') : written;
    found.push({ kind: kindOf(raw), raw, from: match.index, to: match.index + written.length });
  }
  return joinGlued(found).map((piece, at, all) => tokenOf(piece, all[at - 1], plain));
}

/** Does less than `normalizeText` of plain-text.ts: the trained weights of stories depend on these tokens. */
export function normalizeTokenText(text: string): string {
  return text.normalize('NFKC').replaceAll(/[’‘`]/g, "'");
}

function kindOf(raw: string): TextToken['kind'] {
  if (/^\d/.test(raw)) return 'number';
  return /^\p{Script=Han}/u.test(raw) ? 'han' : 'word';
}

/** `H` `200` becomes one word, as does `8` `B`; `Qwen` `3.7` remain a name and a number. */
function joinGlued(found: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of found) {
    const last = joined.at(-1);
    const glued = last !== undefined && last.to === piece.from && isGlued(last, piece);
    if (!glued) joined.push(piece);
    else
      joined[joined.length - 1] = { kind: 'word', raw: last.raw + piece.raw, from: last.from, to: piece.to };
  }
  return joined;
}

function isGlued(last: Piece, piece: Piece): boolean {
  if (last.kind === 'word' && piece.kind === 'number') return last.raw.length <= gluedLettersMax;
  return last.kind === 'number' && piece.kind === 'word' && piece.raw.length <= gluedLettersMax;
}

function tokenOf(piece: Piece, before: Piece | undefined, plain: string): TextToken {
  const gap = before === undefined ? null : plain.slice(before.to, piece.from);
  const adjacent = gap !== null && /^[\s-]?$/.test(gap);
  if (piece.kind === 'han')
    return { kind: 'han', text: piece.raw, raw: piece.raw, marked: false, capital: false, adjacent };
  if (piece.kind === 'number') {
    return {
      kind: 'number',
      text: piece.raw.replaceAll(',', ''),
      raw: piece.raw,
      marked: false,
      capital: false,
      adjacent,
    };
  }
  const marked = /\p{L}\p{Lu}/u.test(piece.raw) || /^\p{L}+\d/u.test(piece.raw);
  return {
    kind: 'word',
    text: stemOf(piece.raw),
    raw: piece.raw,
    marked,
    capital: /^\p{Lu}/u.test(piece.raw),
    adjacent,
  };
}

/** One key for all forms of a word, without the possessive. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  const known = stems.get(lower);
  if (known !== undefined) return known;
  const bare = lower.endsWith("'s") ? lower.slice(0, -2) : lower.replaceAll("'", '');
  const stem = /\d/.test(bare) ? bare : stemmer(bare);
  if (stems.size >= stemsMax) stems.clear();
  stems.set(lower, stem);
  return stem;
}

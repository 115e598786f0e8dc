import { hashText, mix, runsOfText } from './shingles.ts';

/**
 * The smallest hashes of the shingles at the beginning of a text. Two sketches estimate which share of the shorter
 * beginning occurs in the other one, so that a copy is recognised under another headline, with another dateline or
 * byline, with edited words and without its end.
 */
export interface TextSketch {
  /** Distinct shingles of the beginning. */
  readonly size: number;
  /** Ascending. */
  readonly hashes: readonly number[];
}

/** A copy usually loses its end: only the beginning is compared. */
const shinglesMax = 256;
const charsMax = 2_500;
/** Shorter texts are too often quoted as a whole: the one sentence of an announcement. */
const shinglesMin = 24;
const hashesMax = 96;
/** Of real texts, different articles and independent reports of one event reach a third; a whole copy has 1. */
const copyFrom = 0.6;
/** Keys are made of the first shingles and of all: a short extract shares the first, a copy with an introduction the others. */
const openingShingles = 48;
const keysPerPart = 4;

export interface ReadText {
  readonly sketch: TextSketch;
  /** For an index: copies of one text share at least one, with few exceptions. */
  readonly keys: readonly string[];
}

/** Null if the text is too short. */
export function readText(text: string): ReadText | null {
  const found = shingleHashes(text.slice(0, charsMax));
  const all = smallest(found);
  if (all.length < shinglesMin) return null;
  const keys = [smallest(found.slice(0, openingShingles)), all].flatMap((part) => part.slice(0, keysPerPart));
  return {
    sketch: { size: all.length, hashes: all.slice(0, hashesMax) },
    keys: [...new Set(keys)].map((hash) => `t:${hash.toString(36)}`),
  };
}

export function isCopy(one: TextSketch, other: TextSketch): boolean {
  return textOverlap(one, other) >= copyFrom;
}

/** The estimated share of the shorter text's shingles that occur in the other text: 0 to 1. */
export function textOverlap(one: TextSketch, other: TextSketch): number {
  // Both sketches contain every hash of their texts up to the smaller of their last values.
  const complete = ({ size, hashes }: TextSketch): number =>
    size <= hashes.length ? 0xffffffff : (hashes.at(-1) ?? 0);
  const bound = Math.min(complete(one), complete(other));
  const known = new Set(one.hashes.filter((hash) => hash <= bound));
  let [shared, others] = [0, 0];
  for (const hash of other.hashes) {
    if (hash > bound) break;
    others += 1;
    if (known.has(hash)) shared += 1;
  }
  const share = shared / Math.max(1, known.size + others - shared);
  return Math.min(1, (share / (1 + share)) * ((one.size + other.size) / Math.min(one.size, other.size)));
}

/** Of the first shingles; each word is hashed once. */
function shingleHashes(text: string): readonly number[] {
  const found: number[] = [];
  for (const { parts, length } of runsOfText(text)) {
    const hashes = parts.map(hashText);
    for (let at = 0; at + length <= hashes.length && found.length < shinglesMax; at += 1) {
      let hash = length;
      for (let next = at; next < at + length; next += 1)
        hash = Math.imul(hash ^ (hashes[next] as number), 0x01000193) ^ (hash >>> 15);
      found.push(mix(hash));
    }
  }
  return found;
}

function smallest(found: readonly number[]): readonly number[] {
  return [...new Set(found)].sort((one, other) => one - other);
}

/** As JSON. */
export interface StoredSketch {
  readonly size: number;
  /** Base64 of 32-bit integers, the lowest byte first. */
  readonly hashes: string;
}

export function storeSketch({ size, hashes }: TextSketch): StoredSketch {
  const bytes = Buffer.alloc(4 * hashes.length);
  for (const [at, hash] of hashes.entries()) bytes.writeUInt32LE(hash, 4 * at);
  return { size, hashes: bytes.toString('base64') };
}

export function restoreSketch({ size, hashes }: StoredSketch): TextSketch {
  const bytes = Buffer.from(hashes, 'base64');
  return { size, hashes: Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(4 * at)) };
}

import { isUtf8 } from 'node:buffer';

import type { EncodingGuess } from './encoding-detection.ts';
import { detectEncoding, readsWell } from './encoding-detection.ts';
import type { LegacyEncoding } from './legacy-encoding.ts';
import type { OffsetMap } from './text-offsets.ts';
import { legacyOffsets, unitOffsets, utf8Offsets } from './text-offsets.ts';
import { decodeMostlyUtf8 } from './utf8-repair.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | LegacyEncoding;

export interface DecodedText {
  readonly kind: 'text';
  readonly encoding: Encoding;
  /** 1 if the bytes are unambiguous or the user has chosen the encoding. */
  readonly confidence: number;
  /** Bytes of a UTF-8 file that are no UTF-8, read as windows-1252 as if pasted from there. */
  readonly strayBytes: number;
  readonly text: string;
  /** Bytes before the text: a byte order mark or nothing. */
  readonly markBytes: number;
  /** Bytes after the text that are no character: half a UTF-16 unit. */
  readonly oddBytes: number;
  /** The place of a character of the text in the file. */
  readonly byteOffset: OffsetMap;
}

export type Decoding =
  | DecodedText
  /** Text that could be read in more than one way. */
  | { readonly kind: 'unsure'; readonly guesses: readonly EncodingGuess[] }
  | { readonly kind: 'binary' };

/** The text of a file with the place of each character. `said` is the user's choice where it is not UTF-8. */
export function decodeText(bytes: Buffer, said: LegacyEncoding | null = null): Decoding {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return decodeUtf8(bytes, 3) ?? { kind: 'binary' };
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 2, 'utf-16le', 1);
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 2, 'utf-16be', 1);
  const unmarked = guessUtf16(bytes);
  if (unmarked !== null) return decodeUtf16(bytes, 0, unmarked, 0.9);
  if (bytes.includes(0)) return { kind: 'binary' };
  const utf8 = decodeUtf8(bytes, 0);
  if (utf8 !== null) return utf8;
  if (said !== null) {
    return readsWell(bytes, said) ? decodeLegacy(bytes, said, 1) : { kind: 'unsure', guesses: [] };
  }
  const { guesses, isSure } = detectEncoding(bytes);
  const [first] = guesses;
  return isSure && first !== undefined
    ? decodeLegacy(bytes, first.encoding, first.confidence)
    : { kind: 'unsure', guesses };
}

/** Null where it is no UTF-8, not even with a few stray bytes. */
function decodeUtf8(bytes: Buffer, markBytes: number): DecodedText | null {
  const body = bytes.subarray(markBytes);
  if (body.includes(0)) return null;
  const common = { kind: 'text', encoding: 'utf-8', confidence: 1, markBytes, oddBytes: 0 } as const;
  if (isUtf8(body)) {
    const text = body.toString('utf8');
    return { ...common, strayBytes: 0, text, byteOffset: utf8Offsets(text, markBytes) };
  }
  const repaired = decodeMostlyUtf8(body, markBytes > 0);
  return repaired === null ? null : { ...common, ...repaired };
}

function decodeUtf16(
  bytes: Buffer,
  markBytes: number,
  encoding: 'utf-16le' | 'utf-16be',
  confidence: number,
): DecodedText {
  const oddBytes = (bytes.length - markBytes) % 2;
  const body = bytes.subarray(markBytes, bytes.length - oddBytes);
  const little = encoding === 'utf-16le' ? body : Buffer.from(body).swap16();
  const text = little.toString('utf16le');
  const byteOffset = unitOffsets(2, markBytes);
  return { kind: 'text', encoding, confidence, strayBytes: 0, text, markBytes, oddBytes, byteOffset };
}

function decodeLegacy(bytes: Buffer, encoding: LegacyEncoding, confidence: number): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  const byteOffset = legacyOffsets(bytes, text, encoding);
  return { kind: 'text', encoding, confidence, strayBytes: 0, text, markBytes: 0, oddBytes: 0, byteOffset };
}

/**
 * Text in UTF-16 without a mark: it has zero bytes, for its spaces and line ends at the least, and reads as characters
 * in use one way round and not the other.
 */
function guessUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 4 || bytes.length % 2 === 1 || !sample.includes(0)) return null;
  const [little, big] = [usualShare(sample, 'utf-16le'), usualShare(sample, 'utf-16be')];
  if (Math.max(little, big) < 0.95 || Math.abs(little - big) < 0.2) return null;
  return little > big ? 'utf-16le' : 'utf-16be';
}

function usualShare(sample: Buffer, encoding: 'utf-16le' | 'utf-16be'): number {
  const text = new TextDecoder(encoding).decode(sample);
  return (text.match(usual)?.length ?? 0) / text.length;
}

const usual =
  /[\t\n\r\x20-\x7e\u00a0-\u024f\u2010-\u2027\u20ac\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\u3000-\u303f\uff00-\uffef]/gu;

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

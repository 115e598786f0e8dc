import type { OffsetMap } from './text-offsets.ts';
import { unitOffsets, utf8Offsets } from './text-offsets.ts';

/** So many good characters to one stray byte make a file UTF-8 all the same. */
const goodToStray = 4;

const windows1252 = new TextDecoder('windows-1252');

interface Segment {
  readonly character: number;
  readonly byte: number;
  readonly text: string;
  /** One byte a character, not UTF-8. */
  readonly isStray: boolean;
}

/**
 * UTF-8 with a few invalid bytes: mostly single characters pasted from a Windows program, and read as such. Null with
 * too many of them; a byte order mark is conclusive.
 */
export function decodeMostlyUtf8(
  body: Buffer,
  isMarked: boolean,
): { readonly text: string; readonly strayBytes: number; readonly byteOffset: OffsetMap } | null {
  const start = isMarked ? 3 : 0;
  const segments: Segment[] = [];
  let [characters, good, stray, from] = [0, 0, 0, 0];
  const add = (to: number, isStray: boolean): void => {
    const piece = body.subarray(from, to);
    const text = isStray ? windows1252.decode(piece) : piece.toString('utf8');
    segments.push({ character: characters, byte: start + from, text, isStray });
    characters += text.length;
    from = to;
  };
  for (let at = 0; at < body.length;) {
    const size = validSequence(body, at);
    if (size > 0) {
      if (size > 1) good += 1;
      at += size;
      continue;
    }
    if (at > from) add(at, false);
    at += 1;
    stray += 1;
    add(at, true);
  }
  if (from < body.length) add(body.length, false);
  if (!isMarked && good < stray * goodToStray) return null;
  const text = segments.map((segment) => segment.text).join('');
  if (!isMarked && !isOneScript(text)) return null;
  return { text, strayBytes: stray, byteOffset: segmentOffsets(segments) };
}

/** Bytes of another encoding that happen to be UTF-8 read as letters of many scripts at once. */
function isOneScript(text: string): boolean {
  const all = text.match(/[^\p{ASCII}\p{P}\p{S}\p{Script=Latin}]/gu)?.length ?? 0;
  const most = Math.max(...scripts.map((script) => text.match(script)?.length ?? 0));
  return most >= all * 0.8;
}

const scripts = [
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  /\p{Script=Cyrillic}/gu,
  /\p{Script=Greek}/gu,
  /\p{Script=Hangul}/gu,
  /\p{Script=Arabic}/gu,
  /\p{Script=Hebrew}/gu,
  /\p{Script=Thai}/gu,
  /\p{Script=Devanagari}/gu,
];

function segmentOffsets(segments: readonly Segment[]): OffsetMap {
  let at = -1;
  let inSegment = unitOffsets(1, 0);
  return (character) => {
    if (character < (segments[at]?.character ?? 0)) at = -1;
    while ((segments[at + 1]?.character ?? Infinity) <= character) {
      at += 1;
      const { text = '', byte = 0, isStray = false } = segments[at] ?? {};
      inSegment = isStray ? unitOffsets(1, byte) : utf8Offsets(text, byte);
    }
    return inSegment(character - (segments[at]?.character ?? 0));
  };
}

/** The number of bytes of the UTF-8 character here; 0 if the bytes are invalid. */
function validSequence(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const size =
    lead >= 0xc2 && lead <= 0xdf
      ? 2
      : lead >= 0xe0 && lead <= 0xef
        ? 3
        : lead >= 0xf0 && lead <= 0xf4
          ? 4
          : 0;
  if (size === 0) return 0;
  const second = bytes[at + 1] ?? 0;
  const [low, high] = secondByteRange(lead);
  if (second < low || second > high) return 0;
  for (let next = 2; next < size; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return size;
}

/** Overlong forms, surrogates and values beyond U+10FFFF are not valid UTF-8 (RFC 3629). */
function secondByteRange(lead: number): readonly [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}

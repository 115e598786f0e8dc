import type { LegacyEncoding } from './legacy-encoding.ts';

/** The file offset of the character at this place of the text. Call in ascending order. */
export type OffsetMap = (character: number) => number;

/** Every UTF-16 unit of the text is so many bytes of the file. */
export function unitOffsets(bytesPerUnit: number, start: number): OffsetMap {
  return (character) => start + character * bytesPerUnit;
}

export function utf8Offsets(text: string, start: number): OffsetMap {
  let [atCharacter, atByte] = [0, start];
  return (character) => {
    if (character < atCharacter) [atCharacter, atByte] = [0, start];
    atByte += Buffer.byteLength(text.slice(atCharacter, character), 'utf8');
    atCharacter = character;
    return atByte;
  };
}

/** For bytes that are valid in the encoding, the whole of `text`. */
export function legacyOffsets(bytes: Buffer, text: string, encoding: LegacyEncoding): OffsetMap {
  const length = sequenceLengths[encoding];
  if (length === undefined) return unitOffsets(1, 0);
  const decoder = new TextDecoder(encoding);
  // In all of these a line ending is one byte that is part of no other character, so lines are anchors.
  const nextLineEnd = (from: number): number => (text.indexOf('\n', from) + 1 || text.length + 1) - 1;
  let [atCharacter, atByte, lineEnd] = [0, 0, nextLineEnd(0)];
  return (character) => {
    if (character < atCharacter) [atCharacter, atByte, lineEnd] = [0, 0, nextLineEnd(0)];
    while (lineEnd < character && lineEnd < text.length) {
      atCharacter = lineEnd + 1;
      atByte = bytes.indexOf(0x0a, atByte) + 1;
      lineEnd = nextLineEnd(atCharacter);
    }
    while (atCharacter < character) {
      const size = length(bytes, atByte);
      atCharacter += size === 1 ? 1 : decoder.decode(bytes.subarray(atByte, atByte + size)).length;
      atByte += size;
    }
    return atByte;
  };
}

type SequenceLength = (bytes: Buffer, at: number) => number;

const sequenceLengths: Partial<Record<LegacyEncoding, SequenceLength>> = {
  gb18030: (bytes, at) => {
    const [lead = 0, next = 0] = [bytes[at], bytes[at + 1]];
    if (lead <= 0x80) return 1;
    return next >= 0x30 && next <= 0x39 ? 4 : 2;
  },
  big5: (bytes, at) => ((bytes[at] ?? 0) <= 0x80 ? 1 : 2),
  shift_jis: (bytes, at) => {
    const lead = bytes[at] ?? 0;
    return lead <= 0x80 || (lead >= 0xa0 && lead <= 0xdf) ? 1 : 2;
  },
  'euc-jp': (bytes, at) => {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) return 1;
    return lead === 0x8f ? 3 : 2;
  },
  'euc-kr': (bytes, at) => ((bytes[at] ?? 0) < 0x80 ? 1 : 2),
};

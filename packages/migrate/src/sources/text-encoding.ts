import { isUtf8 } from 'node:buffer';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface DecodedText {
  readonly encoding: Encoding;
  readonly text: string;
  /** Bytes before the text: a byte order mark or nothing. */
  readonly markBytes: number;
  /** Bytes after the text that are no character: half a UTF-16 unit. */
  readonly oddBytes: number;
  /** Bytes that a piece of `text` takes up in the file. */
  readonly byteLength: (piece: string) => number;
}

const oneByte = (piece: string): number => piece.length;
const twoBytes = (piece: string): number => piece.length * 2;

/**
 * Every encoding here maps characters to bytes one to one, so that a cut in the text is a cut in the file.
 * What is no UTF-8 is read as windows-1252, in which every byte is a character: nothing is replaced.
 * Returns null for what is no text at all.
 */
export function decodeText(bytes: Buffer): DecodedText | null {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf]) && isUtf8(bytes)) return decodeUtf8(bytes, 3);
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 2, 'utf-16le');
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 2, 'utf-16be');
  const unmarked = guessUtf16(bytes);
  if (unmarked !== null) return decodeUtf16(bytes, 0, unmarked);
  if (bytes.includes(0)) return null;
  if (isUtf8(bytes)) return decodeUtf8(bytes, 0);
  const text = new TextDecoder('windows-1252').decode(bytes);
  return { encoding: 'windows-1252', text, markBytes: 0, oddBytes: 0, byteLength: oneByte };
}

function decodeUtf8(bytes: Buffer, markBytes: number): DecodedText | null {
  const body = bytes.subarray(markBytes);
  if (body.includes(0)) return null;
  const text = body.toString('utf8');
  const byteLength =
    text.length === body.length ? oneByte : (piece: string): number => Buffer.byteLength(piece, 'utf8');
  return { encoding: 'utf-8', text, markBytes, oddBytes: 0, byteLength };
}

function decodeUtf16(bytes: Buffer, markBytes: number, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const oddBytes = (bytes.length - markBytes) % 2;
  const body = bytes.subarray(markBytes, bytes.length - oddBytes);
  const little = encoding === 'utf-16le' ? body : Buffer.from(body).swap16();
  return { encoding, text: little.toString('utf16le'), markBytes, oddBytes, byteLength: twoBytes };
}

/** Western text in UTF-16 has a zero in every other byte, and zeros nowhere else. */
function guessUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 4096);
  if (sample.length < 4 || sample.length % 2 === 1) return null;
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < sample.length; at += 1) if (sample[at] === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const most = sample.length * 0.35;
  if (zeros[0] === 0 && zeros[1] > most) return 'utf-16le';
  if (zeros[1] === 0 && zeros[0] > most) return 'utf-16be';
  return null;
}

function startsWith(bytes: Buffer, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

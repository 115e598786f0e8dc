import { guessEncoding } from './guess-encoding.ts';

export interface DecodedDocument {
  readonly text: string;
  readonly encoding: string;
  /** What decided the encoding. */
  readonly settledBy: 'byte order mark' | 'http' | 'declaration' | 'content' | 'default';
}

/**
 * The standard order: byte order mark, HTTP header, declaration in the document, UTF-8. A label applies only if the bytes
 * are valid in that encoding, because servers often send wrong labels.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | null): DecodedDocument {
  const mark = byteOrderMark(bytes);
  if (mark !== null) {
    const text = decodeExactly(bytes, mark) ?? decodeWithStrayBytes(bytes, mark);
    return { text, encoding: mark, settledBy: 'byte order mark' };
  }
  const labels = [
    { encoding: encodingOf(charsetOf(contentType)), settledBy: 'http' as const },
    { encoding: encodingOf(declaredEncoding(bytes)), settledBy: 'declaration' as const },
  ];
  const asUtf8 = decodeExactly(bytes, 'utf-8');
  for (const { encoding, settledBy } of labels) {
    if (encoding === null || (asUtf8 !== null && contradicts(encoding, bytes))) continue;
    const text = decodeExactly(bytes, encoding);
    if (text !== null) return { text, encoding, settledBy };
  }
  if (asUtf8 !== null) return { text: asUtf8, encoding: 'utf-8', settledBy: 'default' };
  const labelled = labels.find(({ encoding }) => encoding !== null)?.encoding ?? 'utf-8';
  const guessed = guessEncoding(bytes, labelled);
  return guessed === labelled
    ? { text: decodeWithStrayBytes(bytes, labelled), encoding: labelled, settledBy: 'content' }
    : { text: new TextDecoder(guessed).decode(bytes), encoding: guessed, settledBy: 'content' };
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  // Without a byte order mark, `<` and a zero byte show UTF-16.
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  return bytes[0] === 0x3c && bytes[1] === 0 ? 'utf-16le' : null;
}

function charsetOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?\s*([\w.:-]+)/iu.exec(contentType ?? '')?.[1] ?? null;
}

/** In an XML declaration, or in a `meta` element of HTML. */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  const xml = /<\?xml[^>]{0,200}?encoding\s*=\s*["']\s*([\w.:-]+)/iu.exec(head)?.[1];
  return xml ?? /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/iu.exec(head)?.[1] ?? null;
}

/** The name of the Encoding Standard for a label; null: unknown label. */
function encodingOf(label: string | null): string | null {
  if (label === null) return null;
  try {
    const { encoding } = new TextDecoder(label);
    // ASCII-compatible bytes cannot be UTF-16, whatever the label says: the declaration itself was read as ASCII.
    return encoding.startsWith('utf-16') ? null : encoding;
  } catch {
    return null;
  }
}

/**
 * Valid UTF-8 beyond ASCII is practically never another encoding. Against a label of a two-byte encoding the check is
 * stricter: a few GBK characters can be valid two-byte UTF-8, but none valid three-byte UTF-8.
 */
function contradicts(encoding: string, bytes: Uint8Array): boolean {
  if (encoding === 'utf-8' || encoding === 'iso-2022-jp') return false;
  const least = encoding.startsWith('windows-') || encoding.startsWith('iso-8859') ? 0xc2 : 0xe0;
  return bytes.some((byte) => byte >= least && byte < 0xf5);
}

function decodeExactly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes a document with a few invalid bytes. In UTF-8 these are nearly always quotation marks and letters pasted in
 * Windows-1252, and are decoded as such instead of becoming replacement characters.
 */
function decodeWithStrayBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes);
  const windows = new TextDecoder('windows-1252');
  const utf8 = new TextDecoder('utf-8');
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = utf8Length(bytes, at);
    if (length > 0) at += length;
    else {
      parts.push(utf8.decode(bytes.subarray(start, at)), windows.decode(bytes.subarray(at, at + 1)));
      at += 1;
      start = at;
    }
  }
  parts.push(utf8.decode(bytes.subarray(start)));
  return parts.join('');
}

/** The length of the UTF-8 character at this offset; 0: invalid. */
function utf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  const overlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const outside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

import { readFrontMatter } from '../sources/front-matter.ts';
import { decodeText } from '../sources/text-encoding.ts';
import type { DecodedText } from '../sources/text-encoding.ts';
import type { Chunk, Remainder } from './chunk.ts';
import { assertConserved } from './conservation.ts';
import { readMarkdownBlocks } from './markdown-block.ts';
import { cutSections } from './section-cutter.ts';

export interface CutDocument {
  readonly chunks: readonly Chunk[];
  readonly remainders: readonly Remainder[];
  /** From its front matter. */
  readonly tags: readonly string[];
}

/** A source as chunks and remainders that together are every byte of it once; throws if they were not. */
export function cutDocument(bytes: Buffer): CutDocument {
  const decoded = decodeText(bytes);
  const document = decoded === null ? binaryDocument(bytes) : cutText(decoded, bytes.length);
  assertConserved(bytes.length, [...document.chunks, ...document.remainders]);
  return document;
}

function binaryDocument(bytes: Buffer): CutDocument {
  return { chunks: [], remainders: [{ kind: 'binary', start: 0, end: bytes.length }], tags: [] };
}

function cutText(decoded: DecodedText, length: number): CutDocument {
  const { text, markBytes, oddBytes, byteLength } = decoded;
  const remainders: Remainder[] = [];
  if (markBytes > 0) remainders.push({ kind: 'byte-order-mark', start: 0, end: markBytes });
  if (oddBytes > 0) remainders.push({ kind: 'half-character', start: length - oddBytes, end: length });
  const frontMatter = readFrontMatter(text);
  // A note of properties alone is its front matter: leaving that out would leave out the note.
  const bodyStart = frontMatter !== null && !isBlank(text, frontMatter.length) ? frontMatter.length : 0;
  let at = markBytes + byteLength(text.slice(0, bodyStart));
  if (bodyStart > 0) remainders.push({ kind: 'front-matter', start: markBytes, end: at });
  const chunks: Chunk[] = [];
  if (isBlank(text, 0)) {
    if (text.length > 0) remainders.push({ kind: 'blank', start: markBytes, end: length - oddBytes });
    return { chunks, remainders, tags: [] };
  }
  const body = bodyStart === 0 ? text : text.slice(bodyStart);
  for (const section of cutSections(body, readMarkdownBlocks(body))) {
    const piece = body.slice(section.start, section.end);
    const end = at + byteLength(piece);
    chunks.push({ start: at, end, headings: section.headings, text: piece });
    at = end;
  }
  return { chunks, remainders, tags: frontMatter?.tags ?? [] };
}

function isBlank(text: string, from: number): boolean {
  const word = /\S/g;
  word.lastIndex = from;
  return !word.test(text);
}

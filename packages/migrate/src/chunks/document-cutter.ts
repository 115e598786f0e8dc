import type { FrontMatter } from '../sources/front-matter.ts';
import { readFrontMatter } from '../sources/front-matter.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import type { DecodedText, Decoding } from '../sources/text-encoding.ts';
import { decodeText } from '../sources/text-encoding.ts';
import type { Chunk, ChunkPart, Remainder } from './chunk.ts';
import { assertConserved } from './conservation.ts';
import { readMarkdownBlocks } from './markdown-block.ts';
import type { Section } from './section-cutter.ts';
import { cutSections } from './section-cutter.ts';

/** A section with its text. */
export interface NoteSection extends Section {
  readonly text: string;
}

/** The sections that make up a chunk, by position, and the headings above it. */
export interface SectionGroup {
  readonly sections: readonly number[];
  readonly headings: readonly string[];
  readonly part: ChunkPart;
}

/** The text of these sections; of neighbours a part of the note, not a copy. */
export type SectionText = (places: readonly number[]) => string;

export interface CutOptions {
  /** The user's choice of the encoding. */
  readonly encoding?: LegacyEncoding | null;
  /** How sections are combined; by default each is a chunk. Every section must be in exactly one group. */
  readonly group?: (
    sections: readonly NoteSection[],
    frontMatter: FrontMatter | null,
    textOf: SectionText,
  ) => readonly SectionGroup[];
}

export interface CutDocument {
  readonly chunks: readonly Chunk[];
  readonly remainders: readonly Remainder[];
  readonly frontMatter: FrontMatter | null;
  readonly decoding: Decoding;
}

/** A source as chunks and remainders that together are every byte of it once; throws if they were not. */
export function cutDocument(bytes: Buffer, options: CutOptions = {}): CutDocument {
  const decoding = decodeText(bytes, options.encoding ?? null);
  const document =
    decoding.kind === 'text' ? cutText(decoding, bytes.length, options) : unread(decoding, bytes.length);
  const spans = document.chunks.flatMap((chunk) => chunk.spans);
  assertConserved(bytes.length, [...spans, ...document.remainders]);
  return document;
}

function unread(decoding: Exclude<Decoding, DecodedText>, length: number): CutDocument {
  const kind = decoding.kind === 'binary' ? 'binary' : 'encoding-unclear';
  return { chunks: [], remainders: [{ kind, start: 0, end: length }], frontMatter: null, decoding };
}

function cutText(decoded: DecodedText, length: number, { group }: CutOptions): CutDocument {
  const { text, markBytes, oddBytes, byteOffset } = decoded;
  const remainders: Remainder[] = [];
  if (markBytes > 0) remainders.push({ kind: 'byte-order-mark', start: 0, end: markBytes });
  if (oddBytes > 0) remainders.push({ kind: 'half-character', start: length - oddBytes, end: length });
  if (isBlank(text, 0)) {
    if (text.length > 0) remainders.push({ kind: 'blank', start: markBytes, end: length - oddBytes });
    return { chunks: [], remainders, frontMatter: null, decoding: decoded };
  }
  const frontMatter = readFrontMatter(text);
  // A note of properties alone is its front matter: leaving that out would leave out the note.
  const bodyStart = frontMatter !== null && !isBlank(text, frontMatter.length) ? frontMatter.length : 0;
  if (bodyStart > 0)
    remainders.push({ kind: 'front-matter', start: byteOffset(0), end: byteOffset(bodyStart) });
  const body = bodyStart === 0 ? text : text.slice(bodyStart);
  const sections = Array.from(cutSections(body, readMarkdownBlocks(body)), (section) => ({
    ...section,
    text: body.slice(section.start, section.end),
  }));
  const bytes = sections.map(({ start, end }) => ({
    start: byteOffset(bodyStart + start),
    end: byteOffset(bodyStart + end),
  }));
  const textOf: SectionText = (places) =>
    joined(places.flatMap((at) => sections[at] ?? []))
      .map(({ start, end }) => body.slice(start, end))
      .join('');
  const groups =
    group?.(sections, bodyStart > 0 ? frontMatter : null, textOf) ??
    sections.map(({ headings }, at) => ({ sections: [at], headings, part: 'section' as const }));
  const chunks = groups.map((one) => ({
    spans: joined(one.sections.flatMap((at) => bytes[at] ?? [])),
    headings: one.headings,
    part: one.part,
    text: textOf(one.sections),
  }));
  return { chunks, remainders, frontMatter: bodyStart > 0 ? frontMatter : null, decoding: decoded };
}

/** Neighbours made one. */
function joined(spans: readonly { readonly start: number; readonly end: number }[]): Chunk['spans'] {
  const out: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = out.at(-1);
    if (last?.end === start) last.end = end;
    else out.push({ start, end });
  }
  return out;
}

function isBlank(text: string, from: number): boolean {
  const word = /\S/g;
  word.lastIndex = from;
  return !word.test(text);
}

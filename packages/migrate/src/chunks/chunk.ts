/** A run of bytes of a source file, the end not included. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** What a chunk is of its note: all of it (or what is left when parts went elsewhere), a section, or a dated entry. */
export type ChunkPart = 'note' | 'section' | 'entry';

/** A piece of a source that is routed as a whole. */
export interface Chunk {
  /** In order. Several where other chunks are between its parts. */
  readonly spans: readonly ByteSpan[];
  /** The headings above it, outermost first, its own included. */
  readonly headings: readonly string[];
  readonly text: string;
  readonly part: ChunkPart;
}

/** Bytes of a source that are in no chunk, and why. */
export interface Remainder extends ByteSpan {
  readonly kind:
    | 'byte-order-mark'
    | 'front-matter'
    | 'blank'
    | 'binary'
    | 'half-character'
    | 'encoding-unclear';
}

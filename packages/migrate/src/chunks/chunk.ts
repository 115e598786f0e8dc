/** A run of bytes of a source file, the end not included. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** A piece of a source that is routed as a whole. */
export interface Chunk extends ByteSpan {
  /** Headings it stands under, outermost first, its own included. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Bytes of a source that are in no chunk, and why. */
export interface Remainder extends ByteSpan {
  readonly kind: 'byte-order-mark' | 'front-matter' | 'blank' | 'binary' | 'half-character';
}

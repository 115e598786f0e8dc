import { toSimplified } from './simplified.ts';

/** A range of a text; offsets refer to the normalised text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** NFKC would make 11⁄2 of 1½. */
const fractions: Readonly<Record<string, string>> = { '½': '.5', '¼': '.25', '¾': '.75' };

/**
 * Normalises spellings: full-width forms, quotation marks, dashes, spaces, traditional characters. A full-width comma becomes a comma and
 * a space, so that it cannot join two numbers into one.
 */
export function normalizeText(text: string): string {
  return toSimplified(text)
    .replace(/[，、；：！？（）]/g, (mark) => ` ${mark} `.normalize('NFKC'))
    .replace(/(\d?)([½¼¾])/g, (_, digit: string, part: string) => `${digit || '0'}${fractions[part] ?? ''}`)
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[„«「『〝]/g, '“')
    .replace(/[»」』〞]/g, '”')
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/[—―]+/g, ' - ')
    .replace(/[・•‧∙]/g, '·')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

/** The characters of a text that are already claimed; a lookup costs the length of its span. */
export class SpanSet {
  readonly #taken: Uint8Array;

  constructor(textLength: number, spans: readonly Span[] = []) {
    this.#taken = new Uint8Array(textLength);
    for (const span of spans) this.add(span);
  }

  add({ start, end }: Span): void {
    this.#taken.fill(1, start, end);
  }

  touches({ start, end }: Span): boolean {
    return this.#taken.subarray(start, end).includes(1);
  }
}

/** Replaces claimed spans with blanks, so that the next parser does not read them again. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(from, start), ' '.repeat(end - start));
    from = end;
  }
  return pieces.join('') + text.slice(from);
}

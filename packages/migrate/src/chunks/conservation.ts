import type { ByteSpan } from './chunk.ts';

/** Throws unless the spans, put in order, cover bytes 0 to `length` each exactly once. */
export function assertConserved(length: number, spans: readonly ByteSpan[]): void {
  let at = 0;
  for (const { start, end } of spans.toSorted(
    (one, other) => one.start - other.start || one.end - other.end,
  )) {
    if (start !== at || end < start) {
      throw new RangeError(
        `bytes ${Math.min(at, start)} to ${Math.max(at, start)} are not covered exactly once`,
      );
    }
    at = end;
  }
  if (at !== length) throw new RangeError(`bytes ${at} to ${length} are in no chunk`);
}

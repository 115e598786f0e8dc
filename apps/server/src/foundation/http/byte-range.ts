import type { Result } from '../result.ts';
import { accepted, refused } from '../result.ts';

/** Positions of the first and the last byte, as `Content-Range` counts them. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const form = /^bytes=(?:([0-9]{1,15})-([0-9]{0,15})|-([0-9]{1,15}))$/i;

/**
 * The range that a `Range` header requests of `size` bytes. Null: everything, which is also the result for a header
 * with several ranges or an invalid one (RFC 9110, 14.2 lets a server ignore it).
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): Result<ByteRange | null, 'unsatisfiable'> {
  const match = header === undefined ? null : form.exec(header.trim());
  if (match === null) return accepted(null);
  const [, from = '', to = '', suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? refused('unsatisfiable') : accepted({ first: size - length, last: size - 1 });
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return accepted(null);
  if (first >= size) return refused('unsatisfiable');
  return accepted({ first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) });
}

import type { EpochMicroseconds } from '../instant.ts';
import { isoMicroseconds, parseTimestamptz } from '../instant.ts';

/** As a query's parameter, exact. */
export function toTimestamptz(instant: EpochMicroseconds): string {
  return isoMicroseconds(instant);
}

/** From a column of our own, where anything unreadable is a fault of the program. */
export function fromTimestamptz(text: string): EpochMicroseconds {
  const parsed = parseTimestamptz(text);
  if (!parsed.ok) throw new RangeError(`${parsed.reason} timestamptz: ${text}`);
  return parsed.value;
}

import type { EpochMicroseconds } from '../instant.ts';
import { isoMicroseconds, parseTimestamptz } from '../instant.ts';

/** As a query's parameter, exact. */
export function toTimestamptz(instant: EpochMicroseconds): string {
  return isoMicroseconds(instant);
}

/** As a parameter that may be missing. */
export function toTimestamptzOrNull(instant: EpochMicroseconds | null): string | null {
  return instant === null ? null : toTimestamptz(instant);
}

/** From a column of the schema, where an unreadable value is a bug. */
export function fromTimestamptz(text: string): EpochMicroseconds {
  const parsed = parseTimestamptz(text);
  if (!parsed.ok) throw new RangeError(`${parsed.reason} timestamptz: ${text}`);
  return parsed.value;
}

export function fromTimestamptzOrNull(text: string | null): EpochMicroseconds | null {
  return text === null ? null : fromTimestamptz(text);
}

import { fromTimestamptz } from '../foundation/database/timestamptz.ts';
import { isoMilliseconds } from '../foundation/instant.ts';

/** A column of the record as it is sent. */
export function sentInstant(column: string): string {
  return isoMilliseconds(fromTimestamptz(column));
}

export function sentInstantOrNull(column: string | null): string | null {
  return column === null ? null : sentInstant(column);
}

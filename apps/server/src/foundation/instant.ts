import type { Brand } from './brand.ts';
import type { Result } from './result.ts';
import { accepted, refused } from './result.ts';

/** A point in time as PostgreSQL stores it. Years 0001 to 9999, so that every written form has one width. */
export type EpochMicroseconds = Brand<bigint, 'EpochMicroseconds'>;

export const hourMicroseconds = 3_600_000_000n;
export const dayMicroseconds = 24n * hourMicroseconds;

export type InstantFault = 'malformed' | 'impossible';

const earliest = -62_135_596_800_000_000n;
const latest = 253_402_300_799_999_999n;

export function isEpochMicroseconds(value: bigint): value is EpochMicroseconds {
  return value >= earliest && value <= latest;
}

export function epochMicroseconds(value: bigint): EpochMicroseconds {
  if (!isEpochMicroseconds(value)) throw new RangeError('instant outside the years 0001 to 9999');
  return value;
}

export function instantFromMs(milliseconds: number): EpochMicroseconds {
  return epochMicroseconds(BigInt(Math.floor(milliseconds)) * 1000n);
}

/** Rounds down, before 1970 as well, so that the order is preserved. */
export function instantToMs(instant: EpochMicroseconds): number {
  return temporalInstant(instant).epochMilliseconds;
}

export function temporalInstant(instant: EpochMicroseconds): Temporal.Instant {
  return new Temporal.Instant(instant * 1000n);
}

/** The public form: `2026-11-15T00:00:00.123Z`. Rounds down. */
export function isoMilliseconds(instant: EpochMicroseconds): string {
  return temporalInstant(instant).toString({ smallestUnit: 'millisecond', roundingMode: 'floor' });
}

/** The exact form: `2026-11-15T00:00:00.123456Z`. Stored, and sent for the sort key of a list. */
export function isoMicroseconds(instant: EpochMicroseconds): string {
  return temporalInstant(instant).toString({ smallestUnit: 'microsecond', roundingMode: 'floor' });
}

const isoForm = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.(?:[0-9]{3}|[0-9]{6})Z$/;

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A date of HTTP (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT". */
export function httpDate(instant: EpochMicroseconds): string {
  const at = temporalInstant(instant).toZonedDateTimeISO('UTC');
  const time = at.toPlainTime().toString({ smallestUnit: 'second' });
  const day = String(at.day).padStart(2, '0');
  return `${weekdays[at.dayOfWeek - 1]}, ${day} ${months[at.month - 1]} ${at.year} ${time} GMT`;
}

/** Parses the two forms written above, and no other. */
export function parseIsoInstant(text: string): Result<EpochMicroseconds, InstantFault> {
  return isoForm.test(text) ? instantOfText(text) : refused('malformed');
}

const datetimeForm =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

/** Parses a moment from a caller: date, time to the second or finer, and an offset or Z. */
export function parseIsoDatetime(text: string): Result<EpochMicroseconds, InstantFault> {
  return datetimeForm.test(text) ? instantOfText(text) : refused('malformed');
}

/** That many milliseconds later. */
export function addMs(instant: EpochMicroseconds, milliseconds: number): EpochMicroseconds {
  return epochMicroseconds(instant + BigInt(milliseconds) * 1000n);
}

// Offsets of whole seconds occur: PostgreSQL writes local mean time for dates before a zone had a standard.
const timestamptzForm =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?[+-][0-9]{2}(?::[0-9]{2}){0,2}$/;

/**
 * Parses PostgreSQL's text of a timestamptz, in any session time zone, to the microsecond. Within a day of the
 * two ends a session outside UTC writes the year 10000 or BC, which is refused.
 */
export function parseTimestamptz(text: string): Result<EpochMicroseconds, InstantFault> {
  return timestamptzForm.test(text) ? instantOfText(text) : refused('malformed');
}

function instantOfText(text: string): Result<EpochMicroseconds, InstantFault> {
  // Temporal parses a leap second as the second before it, which is another instant.
  if (text.slice(17, 19) === '60') return refused('impossible');
  let nanoseconds: bigint;
  try {
    nanoseconds = Temporal.Instant.from(text).epochNanoseconds;
  } catch {
    return refused('impossible');
  }
  // Exact: neither form carries more than six digits of a second.
  const value = nanoseconds / 1000n;
  return isEpochMicroseconds(value) ? accepted(value) : refused('impossible');
}

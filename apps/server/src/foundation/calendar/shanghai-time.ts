import type { EpochMicroseconds } from '../instant.ts';
import { epochMicroseconds, temporalInstant } from '../instant.ts';
import type { CalendarDate } from './calendar-date.ts';
import { calendarDate, plainDate } from './calendar-date.ts';

// By name, not as +08:00: Shanghai used summer time from 1986 to 1991, and backfilled items are that old.
const zone = 'Asia/Shanghai';

export interface LocalTime {
  readonly hour: number;
  readonly minute: number;
}

export function shanghaiDateOf(instant: EpochMicroseconds): CalendarDate {
  return calendarDate(temporalInstant(instant).toZonedDateTimeISO(zone).toPlainDate());
}

/** A local time skipped by a clock change counts as if the clocks had not moved; of a repeated one the first is used. */
export function shanghaiInstant(date: CalendarDate, time: LocalTime): EpochMicroseconds {
  const local = plainDate(date).toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'compatible' });
  return epochMicroseconds(local.epochNanoseconds / 1000n);
}

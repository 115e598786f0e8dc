import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs, parseIsoDatetime } from '../../foundation/instant.ts';
import { parseFeedDate } from './feed-date.ts';
import type { StatedDate } from './feed.ts';

const earliest = parseIsoDatetime('1990-01-01T00:00:00Z');
/** Dates up to this much in the future are accepted, because clocks differ. */
const clockDifferenceMs = 120_000;
/** From this many entries on, one shared date is no coincidence. */
const sharedEntriesMin = 3;

export interface DateRules {
  /** When the document was received. */
  readonly receivedAt: EpochMicroseconds;
  readonly assumedOffset: string;
}

export function stateDate(raw: string | null, rules: DateRules): StatedDate {
  if (raw === null) return { raw, instant: null, doubt: null };
  const read = parseFeedDate(raw, rules.assumedOffset);
  if (read === null) return { raw, instant: null, doubt: 'unreadable' };
  if (earliest.ok && read.instant < earliest.value) return { raw, instant: null, doubt: 'implausible' };
  if (read.instant > addMs(rules.receivedAt, clockDifferenceMs))
    return { raw, instant: null, doubt: 'in the future' };
  const instant = read.instant > rules.receivedAt ? rules.receivedAt : read.instant;
  return { raw, instant, doubt: read.zoneAssumed ? 'zone assumed' : null };
}

/**
 * Some generators write the build time as the date of every entry. One midnight for the entries of a whole day, as in
 * arXiv feeds, is a valid date.
 */
export function isSharedByAll(dates: readonly StatedDate[]): boolean {
  const [first, ...others] = dates;
  if (first === undefined || first.instant === null || dates.length < sharedEntriesMin) return false;
  if (others.some(({ instant }) => instant !== first.instant)) return false;
  return !/\b00:00(?::00)?(?:\.0+)?\b/u.test(first.raw ?? '') && /\d:\d/u.test(first.raw ?? '');
}

export function withoutSharedDate(date: StatedDate): StatedDate {
  return { raw: date.raw, instant: null, doubt: 'shared by all entries' };
}

import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantFromMs, parseIsoDatetime } from '../../foundation/instant.ts';
import { isUtcOffset, offsetOfZone } from './time-zone.ts';

export interface FeedDate {
  readonly instant: EpochMicroseconds;
  /** The text has no zone; the instant is based on the assumed one. */
  readonly zoneAssumed: boolean;
  /** The text has no time of day. */
  readonly dayOnly: boolean;
}

interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly fraction: string;
}

const rawCharsMax = 200;

/** Parses dates in the formats that publishers use; null: no date. */
export function parseFeedDate(raw: string, assumedOffset: string): FeedDate | null {
  const text = raw
    .slice(0, rawCharsMax)
    .normalize('NFKC')
    .replaceAll(/\([^()]*\)/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const epoch = /^\d{10}(?:\d{3})?$/u.exec(text)?.[0];
  if (epoch !== undefined) {
    const milliseconds = Number(epoch) * (epoch.length === 10 ? 1000 : 1);
    return { instant: instantFromMs(milliseconds), zoneAssumed: false, dayOnly: false };
  }
  const day = dayOf(text);
  if (day === null) return null;
  const clock = timeOfDay(day.rest);
  const offset = clock === null ? null : zoneOffset(clock.rest, assumedOffset);
  const time = clock ?? { hour: 0, minute: 0, second: 0, fraction: '' };
  const instant = instantOf({ ...day, ...time }, offset ?? assumedOffset);
  return instant === null ? null : { instant, zoneAssumed: offset === null, dayOnly: clock === null };
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The text without the day. */
  readonly rest: string;
}

const monthPattern = String.raw`(?<month>\p{L}{3,12}|\p{L}{1,3}\p{M}?\p{L}{0,9})`;
const dayForms: readonly RegExp[] = [
  /(?<!\d)(?<year>\d{4})(?<separator>[-/.])(?<monthNumber>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)/u,
  /(?<year>\d{4}) ?[年년] ?(?<monthNumber>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日号號일]?/u,
  /(?<!\d)(?<year>(?:19|20)\d{2})(?<monthNumber>\d{2})(?<day>\d{2})(?=T|\D|$)/u,
  new RegExp(
    String.raw`(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:[ -]| de )${monthPattern}\.?(?:[, -]+| de )(?<year>\d{4}|\d{2})(?![\d:])`,
    'iu',
  ),
  new RegExp(
    String.raw`${monthPattern}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? |(?<time> [\d:.]+ (?:\p{L}{2,5} )?))(?<year>\d{4})(?!\d)`,
    'iu',
  ),
  new RegExp(
    String.raw`${monthPattern} (?<day>\d{1,2})(?<time> \d{1,2}:\d{2}(?::\d{2})? (?:[A-Z]{2,5} )?)(?<year>\d{4})(?!\d)`,
    'iu',
  ),
  /(?<!\d)(?<monthNumber>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})(?!\d)/u,
  /(?<!\d)(?<day>\d{1,2})[.-](?<monthNumber>\d{1,2})[.-](?<year>\d{4})(?!\d)/u,
  /^(?<year>\d{4})(?:-(?<monthNumber>\d{2}))?$/u,
];

function dayOf(text: string): Day | null {
  for (const form of dayForms) {
    const match = form.exec(text);
    if (match?.groups === undefined) continue;
    const { groups } = match;
    let month = groups['month'] === undefined ? Number(groups['monthNumber'] ?? 1) : monthOf(groups['month']);
    let day = Number(groups['day'] ?? 1);
    if (month === null) continue;
    // 25/12/2025: a number above 12 is the day.
    if (match[0].includes('/') && month > 12 && day <= 12) [month, day] = [day, month];
    const rest = `${groups['time'] ?? ''} ${text.slice(match.index + match[0].length)}`;
    return { year: fullYear(groups['year'] ?? ''), month, day, rest };
  }
  return null;
}

/** Two-digit years (RFC 2822 section 4.3). */
function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length === 2 ? year + (year < 50 ? 2000 : 1900) : year;
}

function timeOfDay(
  rest: string,
): (Omit<CivilTime, 'year' | 'month' | 'day'> & { readonly rest: string }) | null {
  const match =
    /(?<half>[上下]午|오전|오후)? ?(?<hour>\d{1,2})[:时時시](?<minute>\d{2})?分?분?(?::?(?<second>\d{2})秒?)?(?:[.,](?<fraction>\d{1,9}))? ?(?<meridiem>[ap]\.?m\b\.?)?/iu.exec(
      rest,
    ) ?? /^T? ?(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})/u.exec(rest.trim());
  if (match?.groups === undefined) return null;
  const { groups } = match;
  const afternoon =
    /^p/iu.test(groups['meridiem'] ?? '') || groups['half'] === '下午' || groups['half'] === '오후';
  const morning =
    /^a/iu.test(groups['meridiem'] ?? '') || groups['half'] === '上午' || groups['half'] === '오전';
  const hour = Number(groups['hour']);
  return {
    hour: afternoon && hour < 12 ? hour + 12 : morning && hour === 12 ? 0 : hour,
    minute: Number(groups['minute'] ?? 0),
    second: Number(groups['second'] ?? 0),
    fraction: groups['fraction'] ?? '',
    rest: rest.slice(match.index + match[0].length),
  };
}

function zoneOffset(rest: string, assumedOffset: string): string | null {
  const numeric = /(?:GMT|UTC?)? ?(?<sign>[+-])(?<hours>\d{1,2}):?(?<minutes>\d{2})?(?!\d)/iu.exec(
    rest,
  )?.groups;
  if (numeric !== undefined) {
    const offset = `${numeric['sign']}${(numeric['hours'] ?? '').padStart(2, '0')}:${numeric['minutes'] ?? '00'}`;
    return isUtcOffset(offset) ? offset : null;
  }
  const name = /(?<![A-Za-z])(?<name>[A-Za-z]{1,5})(?![A-Za-z])/u.exec(rest)?.groups?.['name'];
  return name === undefined ? null : offsetOfZone(name, assumedOffset);
}

function instantOf(time: CivilTime, offset: string): EpochMicroseconds | null {
  const midnight = time.hour === 24 && time.minute === 0 && time.second === 0;
  const hour = midnight ? 23 : time.hour;
  // A leap second, or 24:00, becomes the last second before it.
  const [minute, second] = midnight ? [59, 59] : [time.minute, Math.min(time.second, 59)];
  const two = (value: number): string => String(value).padStart(2, '0');
  const fraction = time.fraction === '' ? '' : `.${time.fraction.slice(0, 6)}`;
  const day = `${String(time.year).padStart(4, '0')}-${two(time.month)}-${two(time.day)}`;
  const read = parseIsoDatetime(`${day}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${offset}`);
  return read.ok ? read.value : null;
}

/** Prefixes of month names in English, German, French, Spanish, Portuguese, Italian, Dutch, Russian, Polish and Greek. */
const monthBeginnings: readonly (readonly string[])[] = [
  ['jan', 'jän', 'ene', 'gen', 'янв', 'sty', 'ιαν'],
  ['feb', 'fév', 'fev', 'фев', 'lut', 'φεβ'],
  ['mar', 'mär', 'mrt', 'maa', 'мар', 'μαρ', 'μάρ', 'már'],
  ['apr', 'avr', 'abr', 'апр', 'kwi', 'απρ', 'ápr'],
  ['may', 'mai', 'mag', 'mei', 'мая', 'май', 'maj', 'μαϊ', 'μαι', 'μάϊ', 'máj'],
  ['jun', 'juin', 'giu', 'июн', 'cze', 'ιουν', 'ιούν', 'jún'],
  ['jul', 'juil', 'lug', 'июл', 'lip', 'ιουλ', 'ιούλ', 'júl'],
  ['aug', 'aoû', 'aou', 'ago', 'авг', 'sie', 'αυγ', 'αύγ'],
  ['sep', 'set', 'сен', 'wrz', 'σεπ', 'szept'],
  ['oct', 'okt', 'out', 'ott', 'окт', 'paź', 'οκτ'],
  ['nov', 'ноя', 'lis', 'νοε', 'νοέ'],
  ['dec', 'dez', 'déc', 'dic', 'дек', 'gru', 'δεκ'],
];

function monthOf(name: string): number | null {
  const lower = name.toLowerCase();
  const at = monthBeginnings.findIndex((beginnings) =>
    beginnings.some((beginning) => lower.startsWith(beginning)),
  );
  return at === -1 ? null : at + 1;
}

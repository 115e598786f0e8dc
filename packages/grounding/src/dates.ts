import type { CalendarDay } from './calendar-day.ts';
import { addDays, daysInMonth, weekdayOf } from './calendar-day.ts';
import type { Span } from './language/plain-text.ts';
import { SpanSet } from './language/plain-text.ts';

/** The stated parts of a date. */
export interface StatedDate extends Span {
  readonly text: string;
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  /** 1 is Monday. */
  readonly weekday?: number;
  readonly quarter?: number;
  /** `HH:MM`, twelve-hour clock times as written. */
  readonly time?: string;
}

type Parts = Omit<StatedDate, keyof Span | 'text'>;

const monthNames =
  'january february march april may june july august september october november december'.split(' ');
const weekdayNames = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Capitalised, since "may" and "march" are verbs. */
const month = String.raw`(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`;
const year = String.raw`((?:19|20)\d\d)`;
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const word = String.raw`(?<![\p{L}\d])`;
const wordEnd = String.raw`(?![\p{L}\d])`;

interface Form {
  readonly pattern: RegExp;
  readonly read: (groups: readonly string[]) => Parts | null;
}

const form = (source: string, read: Form['read']): Form => ({ pattern: new RegExp(source, 'gu'), read });

/** In order: the first form that matches a part of the text claims it. */
const forms: readonly Form[] = [
  form(String.raw`${word}${year}[-/.](\d{1,2})[-/.](\d{1,2})${wordEnd}`, ([y, m, d]) => full(y, m, d)),
  // A season or a financial year: 2022/23.
  form(String.raw`(?<![\p{Script=Latin}\d.,])${year}/\d\d(?![\d/])`, ([y]) => yearOnly(y)),
  form(String.raw`(?<!\d)(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]`, ([y, m, d]) => full(y, m, d)),
  form(String.raw`(?<!\d)(\d{4}) ?年 ?第?([一二三四1-4]) ?季度`, ([y, q]) => ({
    year: Number(y),
    quarter: ordinal(q),
  })),
  form(String.raw`(?<!\d)(\d{4}) ?年 ?(\d{1,2}) ?月(?!\p{L}?[以之]?[前后内])`, ([y, m]) => full(y, m)),
  form(String.raw`(?<!\d)(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]`, ([m, d]) => monthDay(Number(m), d)),
  form(String.raw`${word}${month}\.? ${day},? ${year}${wordEnd}`, ([m, d, y]) => named(m, d, y)),
  form(String.raw`${word}${day} (?:of )?${month}\.?,? ${year}${wordEnd}`, ([d, m, y]) => named(m, d, y)),
  form(String.raw`${word}${month}\.?,? ${year}${wordEnd}`, ([m, y]) => named(m, undefined, y)),
  form(String.raw`${word}${month}\.? ${day}${wordEnd}(?![.,]\d|:\d)`, ([m, d]) => named(m, d)),
  form(String.raw`${word}${day} (?:of )?${month}${wordEnd}`, ([d, m]) => named(m, d)),
  form(
    String.raw`${word}(?:[Qq]([1-4])|([Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth)[ -]quarter)(?: (?:of )?(?:fiscal )?${year})?${wordEnd}`,
    quarterParts,
  ),
  form(String.raw`${word}${year} ?[Qq]([1-4])${wordEnd}`, ([y, q]) => ({
    year: Number(y),
    quarter: Number(q),
  })),
  form(String.raw`第?([一二三四1-4]) ?季度`, ([q]) => ({ quarter: ordinal(q) })),
  form(String.raw`${word}(\d{1,2}):(\d{2})${wordEnd}`, ([h, m]) => ({ time: `${Number(h)}:${m}` })),
  form(String.raw`(?<![\d.])(\d{4}) ?(?:财年|年)(?![间内以])`, ([y]) => yearOnly(y)),
  form(String.raw`(?<![\d.点])(\d{1,2}) ?月(?![\d])`, ([m]) => monthDay(Number(m))),
  form(String.raw`(?<![\d.])(\d{1,2}) ?[日号](?!元|圆|均)`, ([d]) => dayOnly(d)),
  form(String.raw`(?:星期|周|礼拜)([一二三四五六日天])`, ([d]) => ({ weekday: hanWeekday(d) })),
  form(
    String.raw`${word}(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?${wordEnd}`,
    ([name]) => ({
      weekday: weekdayNames.indexOf((name ?? '').toLowerCase()) + 1,
    }),
  ),
  // Months by name alone, capitalised; "May" is a month only after a preposition.
  form(
    String.raw`${word}(January|February|March|April|June|July|August|September|October|November|December)${wordEnd}`,
    ([m]) => named(m),
  ),
  form(
    String.raw`(?:[Ii]n|[Oo]f|[Ss]ince|[Bb]y|[Uu]ntil|[Ll]ast|[Nn]ext|[Ee]arly|[Ll]ate|[Mm]id) (May)${wordEnd}`,
    ([m]) => named(m),
  ),
  form(
    String.raw`(?<![\p{L}\d.,$€£¥-])(?:FY ?)?${year}(?![.,]\d|-\d|%| ?(?:percent|million|billion|亿|万))${wordEnd}`,
    ([y]) => yearOnly(y),
  ),
];

export function findDates(text: string): StatedDate[] {
  const found: StatedDate[] = [];
  const taken = new SpanSet(text.length);
  for (const { pattern, read } of forms) {
    for (const match of text.matchAll(pattern)) {
      const span = { start: match.index, end: match.index + match[0].length };
      if (taken.touches(span)) continue;
      const parts = read(match.slice(1).map((group) => group ?? ''));
      if (parts === null) continue;
      taken.add(span);
      found.push({ ...parts, ...span, text: match[0].trim() });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/**
 * Whether a sentence's time follows from the dates that a text states. `published` is the publication day of the
 * text: it provides the year if the text omits it, and the date of "on Tuesday".
 */
export function dateFollows(
  claimed: StatedDate,
  stated: readonly StatedDate[],
  published: Parts | null,
): boolean {
  const years = new Set(stated.map((one) => one.year).concat(published?.year));
  const known = stated.flatMap((one) => [one, ...inferred(one, published)]);
  // The day of publication is no quarter: a quarter is reported after its end.
  if (published !== null && claimed.quarter === undefined)
    known.push({ ...published, start: 0, end: 0, text: '' });
  return known.some(
    (one) =>
      (['month', 'day', 'weekday', 'quarter', 'time'] as const).every(
        (part) => claimed[part] === undefined || claimed[part] === partOf(one, part),
      ) &&
      (claimed.year === undefined ||
        (one.year === undefined ? years.has(claimed.year) : one.year === claimed.year)),
  );
}

/** The parts of a calendar day, for `published`. */
export function dayParts({ year, month, day }: CalendarDay): Parts {
  return { year, month, day, weekday: weekdayOf({ year, month, day }) };
}

function partOf(
  date: StatedDate,
  part: 'month' | 'day' | 'weekday' | 'quarter' | 'time',
): string | number | undefined {
  if (part === 'weekday' && date.weekday === undefined) {
    const day = calendarDay(date);
    return day === null ? undefined : weekdayOf(day);
  }
  if (part === 'quarter' && date.quarter === undefined && date.month !== undefined)
    return Math.ceil(date.month / 3);
  return date[part];
}

/** "On Tuesday" is the previous or the next one relative to the day of publication. */
function inferred(date: StatedDate, published: Parts | null): StatedDate[] {
  const day = published === null ? null : calendarDay(published);
  if (date.month !== undefined && date.day !== undefined && date.year === undefined)
    return published?.year === undefined ? [] : [{ ...date, year: published.year }];
  if (day === null || date.weekday === undefined || date.day !== undefined) return [];
  const back = (weekdayOf(day) - date.weekday + 7) % 7;
  return [addDays(day, -back), addDays(day, 7 - back)].map((one) => ({
    ...date,
    ...dayParts(one),
  }));
}

export function calendarDay({ year, month, day }: Parts): CalendarDay | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  return { year, month, day: Math.min(day, daysInMonth(year, month)) };
}

function full(y = '', m = '', d?: string): Parts | null {
  const rest = monthDay(Number(m), d);
  return rest === null ? null : { year: Number(y), ...rest };
}

function named(m = '', d?: string, y?: string): Parts | null {
  const at = monthNames.findIndex((name) => name.startsWith(m.toLowerCase().slice(0, 3)));
  const rest = monthDay(at + 1, d);
  return rest === null || y === undefined ? rest : { year: Number(y), ...rest };
}

function monthDay(monthNumber: number, d?: string): Parts | null {
  if (monthNumber < 1 || monthNumber > 12) return null;
  if (d === undefined || d === '') return { month: monthNumber };
  const dayNumber = Number(d);
  return dayNumber < 1 || dayNumber > 31 ? null : { month: monthNumber, day: dayNumber };
}

function dayOnly(d = ''): Parts | null {
  const dayNumber = Number(d);
  return dayNumber < 1 || dayNumber > 31 ? null : { day: dayNumber };
}

function yearOnly(y = ''): Parts | null {
  const number = Number(y);
  return number < 1900 || number > 2199 ? null : { year: number };
}

function quarterParts([digit = '', name = '', y = '']: readonly string[]): Parts {
  const quarter =
    digit === '' ? ['first', 'second', 'third', 'fourth'].indexOf(name.toLowerCase()) + 1 : Number(digit);
  return y === '' ? { quarter } : { year: Number(y), quarter };
}

function ordinal(text = ''): number {
  const at = '一二三四'.indexOf(text);
  return at === -1 ? Number(text) : at + 1;
}

function hanWeekday(text = ''): number {
  return text === '天' ? 7 : '一二三四五六日'.indexOf(text) + 1;
}

/** Equal for the same time in another notation. */
export function dateKey({ start: _start, end: _end, text: _text, ...parts }: StatedDate): string {
  return `date ${Object.entries(parts).flat().join(' ')}`;
}

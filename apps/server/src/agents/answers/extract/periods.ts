import type { statedFacts } from '@daybook/grounding';

/** Days since 1970, both inclusive. */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/** The times that a text names, also relative to its own day. */
export interface Periods {
  readonly years: ReadonlySet<number>;
  readonly quarters: ReadonlySet<number>;
  readonly days: readonly DaySpan[];
  /** The lengths of the named times: a figure of a quarter is none of a year. */
  readonly lengths: ReadonlySet<'quarter' | 'year'>;
}

type StatedDate = ReturnType<typeof statedFacts>['dates'][number];

const firstDay = Temporal.PlainDate.from('1970-01-01');

const daysUntil = (date: Temporal.PlainDate): number => firstDay.until(date).days;

/** `YYYY-MM-DD` as days since 1970. */
export function dayNumber(day: string): number {
  return daysUntil(Temporal.PlainDate.from(day));
}

/** Months and days may be beyond the last one of the year or month. */
function dayOf(year: number, month: number, day: number): number {
  return daysUntil(
    Temporal.PlainDate.from({ year, month: 1, day: 1 })
      .add({ months: month - 1 })
      .add({ days: day - 1 }),
  );
}

/** 1 is Monday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

const relativeYears: readonly (readonly [number, RegExp])[] = [
  [-2, /前年|\btwo years ago\b/iu],
  [
    -1,
    /\b(?:last|previous|prior) (?:fiscal |financial )?year\b|\ba year (?:ago|earlier|before)\b|去年|上年度?|上一年/iu,
  ],
  [0, /\bthis (?:fiscal |financial )?year\b|今年|本年度?/iu],
  [1, /\bnext (?:fiscal |financial )?year\b|明年|下年度?/iu],
];
const quarterForm =
  /\b(first|second|third|fourth)[- ]quarter|\bq([1-4])\b|第?([一二三四1-4])季|([首末])季/giu;
const quarterWords = ['first', 'second', 'third', 'fourth'];
const hanQuarters = '一二三四';

const relativeDays: readonly (readonly [number, RegExp])[] = [
  [-2, /\bthe day before yesterday\b|前日|前天|前晚/iu],
  [-1, /(?<!before )\byesterday\b|\blast night\b|昨日|昨天|昨晚|昨夜|前一[日天晚]/iu],
  [0, /\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今日|今天|今早|今晚|今晨/iu],
  [1, /\btomorrow\b|明日|明天|明早|明晚|翌日/iu],
];
const relativeWeeks: readonly (readonly [number, RegExp])[] = [
  [-1, /\b(?:last|previous|past) week\b|上个?(?:周|星期|礼拜)(?![一二三四五六日天末])/iu],
  [0, /\bthis week\b|(?:本|今|这个?)(?:周|星期|礼拜)(?![一二三四五六日天末])/iu],
  [1, /\bnext week\b|下个?(?:周|星期|礼拜)(?![一二三四五六日天末])/iu],
];
const relativeMonths: readonly (readonly [number, RegExp])[] = [
  [-1, /\b(?:last|previous|past) month\b|上个?月/iu],
  [0, /\bthis month\b|本月|今个?月|这个月/iu],
  [1, /\bnext month\b|下个?月/iu],
];
const weekdayForm =
  /\b(?:(last|past|this|next|coming)\s+)?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|(上|本|今|这|下)?个?(?:周|星期|礼拜)([一二三四五六日天])/giu;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** `text` is simplified; `dates` are those that it states; `day` is its own, `YYYY-MM-DD`, or null if unknown. */
export function periodsOf(text: string, dates: readonly StatedDate[], day: string | null): Periods {
  const year = day === null ? null : Number(day.slice(0, 4));
  const years = new Set(
    Array.from(text.matchAll(/(?<![\d.,$])(?:19|20)\d\d(?![\d.,%]\d|\d)/gu), ([one]) => Number(one)),
  );
  if (year !== null)
    for (const [distance, form] of relativeYears) if (form.test(text)) years.add(year + distance);
  const quarters = new Set(Array.from(text.matchAll(quarterForm), (match) => quarterOf(match)));
  return { years, quarters, days: daysOf(text, dates, day, years), lengths: lengthsOf(text) };
}

const lengthForms = [
  ['quarter', /\bquarter(?:ly)?\b|\bq[1-4]\b|季/iu],
  [
    'year',
    /\b(?:full|whole|fiscal|financial|last|this|next) year\b|\bannual(?:ly)?\b|全年|去年|前年|今年|明年|年度/iu,
  ],
] as const;

function lengthsOf(text: string): ReadonlySet<'quarter' | 'year'> {
  return new Set(lengthForms.filter(([, form]) => form.test(text)).map(([length]) => length));
}

function quarterOf([, word, digit, han, edge]: RegExpMatchArray): number {
  if (word !== undefined) return quarterWords.indexOf(word.toLowerCase()) + 1;
  if (digit !== undefined) return Number(digit);
  if (edge !== undefined) return edge === '首' ? 1 : 4;
  return hanQuarters.includes(han ?? '') ? hanQuarters.indexOf(han ?? '') + 1 : Number(han);
}

function daysOf(
  text: string,
  dates: readonly StatedDate[],
  day: string | null,
  years: ReadonlySet<number>,
): DaySpan[] {
  const spans = dates.flatMap((date) => writtenSpan(date, day, years));
  if (day === null) return spans;
  const now = dayNumber(day);
  const add = (from: number, to = from): void => void spans.push({ from, to });
  for (const [distance, form] of relativeDays) if (form.test(text)) add(now + distance);
  const monday = now - weekdayOf(now) + 1;
  for (const [distance, form] of relativeWeeks)
    if (form.test(text)) add(monday + 7 * distance, monday + 7 * distance + 6);
  for (const [distance, form] of relativeMonths)
    if (form.test(text)) {
      const [year = 0, month = 0] = day.split('-').map(Number);
      add(dayOf(year, month + distance, 1), dayOf(year, month + distance + 1, 1) - 1);
    }
  for (const match of text.matchAll(weekdayForm)) for (const one of weekdayDays(match, now)) add(one);
  return spans;
}

function writtenSpan(date: StatedDate, day: string | null, years: ReadonlySet<number>): DaySpan[] {
  const { month, day: ofMonth } = date;
  const [onlyYear] = years;
  const year =
    date.year ??
    (years.size === 1 ? onlyYear : undefined) ??
    (day === null ? undefined : Number(day.slice(0, 4)));
  if (year === undefined || month === undefined) return [];
  if (ofMonth !== undefined) {
    const at = dayOf(year, month, ofMonth);
    return [{ from: at, to: at }];
  }
  return [{ from: dayOf(year, month, 1), to: dayOf(year, month + 1, 1) - 1 }];
}

/** A weekday without "last" or "next" is the one before or after the day of the text. */
function weekdayDays([, which, latin, hanWhich, han]: RegExpMatchArray, now: number): number[] {
  const weekday =
    latin === undefined
      ? han === '天'
        ? 7
        : '一二三四五六日'.indexOf(han ?? '') + 1
      : weekdays.indexOf(latin.toLowerCase()) + 1;
  const back = (weekdayOf(now) - weekday + 7) % 7;
  const monday = now - weekdayOf(now) + 1;
  if (hanWhich !== undefined) {
    const weeks = hanWhich === '上' ? -1 : hanWhich === '下' ? 1 : 0;
    return [monday + 7 * weeks + weekday - 1];
  }
  const word = which?.toLowerCase();
  if (word === 'last' || word === 'past') return [now - (back === 0 ? 7 : back)];
  if (word === 'next' || word === 'coming') return [now + 7 - back];
  return [now - back, now + 7 - back];
}

/** Whether a text names other periods only than the question. */
export function differs<Value>(asked: ReadonlySet<Value>, stated: ReadonlySet<Value>): boolean {
  return asked.size > 0 && stated.size > 0 && asked.isDisjointFrom(stated);
}

export function overlaps(asked: readonly DaySpan[], stated: readonly DaySpan[]): boolean {
  return asked.some((one) => stated.some((other) => one.from <= other.to && other.from <= one.to));
}

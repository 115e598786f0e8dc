import type { Aligned } from './alignment.ts';
import { addDays, weekdayOf } from './calendar-day.ts';
import type { StatedDate } from './dates.ts';
import { calendarDay } from './dates.ts';
import type { Span } from './language/plain-text.ts';
import type { Passage } from './passages.ts';

/** A time or a basis of comparison: last month, 去年, Q3, year-on-year. */
interface Period extends Span {
  readonly unit: string;
  readonly text: string;
  /** The calendar value, if it is stated or follows from the day of publication. */
  readonly absolute: string | null;
  /** The distance from the time of the text: last year is -1. */
  readonly relative: number | null;
}

/** One of these is in every form. */
const timeWord =
  /year|month|quarter|week|day|night|tomorrow|half|annual|sequential|morning|afternoon|evening|[ap]\.m|[年月季周日天晚早午星晨夜昏比]/iu;

type Day = Parameters<typeof calendarDay>[0];

const forms: readonly (readonly [unit: string, relative: number, form: RegExp])[] = [
  [
    'year',
    -1,
    /\b(?:last|previous|prior|past) (?:fiscal |financial )?year\b(?!-)|去年|上年度?|上一年|上财年/giu,
  ],
  [
    'year',
    0,
    /\bthis (?:fiscal |financial )?year\b|\byear[- ]to[- ]date\b|\bcurrent (?:fiscal |financial )?year\b|今年|本年度?|本财年/giu,
  ],
  ['year', 1, /\b(?:next|coming) (?:fiscal |financial )?year\b|明年|下年度?|来年|下一年/giu],
  ['year', -2, /前年/gu],
  ['year', 2, /后年/gu],
  ['month', -1, /\b(?:last|previous) month\b|上个?月/giu],
  ['month', 0, /\bthis month\b|本月|今个?月|这个月|当月/giu],
  ['month', 1, /\bnext month\b|下个?月/giu],
  ['quarter', -1, /\b(?:last|previous) quarter\b|上个?季度?|上一季/giu],
  ['quarter', 0, /\bthis quarter\b|\bcurrent quarter\b|本季度?|今季/giu],
  ['quarter', 1, /\bnext quarter\b|下个?季度?|下一季/giu],
  ['week', -1, /\b(?:last|previous) week\b|上个?(?:周|星期|礼拜)(?![一二三四五六日天])/giu],
  ['week', 0, /\bthis week\b|本周|今周|这周|本星期|今个?星期/giu],
  ['week', 1, /\bnext week\b|下个?(?:周|星期|礼拜)(?![一二三四五六日天])/giu],
  ['day', -1, /\byesterday\b|\blast night\b|昨日|昨天|昨晚/giu],
  ['day', 0, /\btoday\b|\btonight\b|今日|今天|今早|今晚/giu],
  ['day', 1, /\btomorrow\b|明日|明天|明早/giu],
  ['half', 1, /\bfirst half\b|上半年/giu],
  ['half', 2, /\bsecond half\b|下半年/giu],
  [
    'basis',
    12,
    /\byear[- ](?:on|over)[- ]year\b|\bannual(?:ly|i[sz]ed)?\b|\bfrom a year (?:ago|earlier)\b|按年|同比|年增|较去年同期/giu,
  ],
  [
    'basis',
    3,
    /\bquarter[- ](?:on|over|to)[- ]quarter\b|\bsequential(?:ly)?\b|\bfrom the (?:previous|prior|preceding) quarter\b|按季|季增|季环比/giu,
  ],
  [
    'basis',
    1,
    /\bmonth[- ](?:on|over|to)[- ]month\b|\bfrom the (?:previous|prior|preceding) month\b|按月|月增|月环比/giu,
  ],
  ['daypart', 1, /\b(?:morning)\b|\ba\.m\b|早上|上午|清晨|早晨|凌晨/giu],
  ['daypart', 2, /\b(?:afternoon|evening|night)\b|\bp\.m\b|下午|晚上|傍晚|夜间|黄昏|深夜/giu],
];

const known = new WeakMap<Passage, readonly Period[]>();

/** The periods of a sentence of a source, read once. */
function knownPeriods(passage: Passage, published: Day | null): readonly Period[] {
  const periods = known.get(passage) ?? periodsOf(passage, published);
  known.set(passage, periods);
  return periods;
}

function periodsOf(passage: Passage, published: Day | null): Period[] {
  const found: Period[] = passage.dates.flatMap((date) => datePeriods(date, published));
  if (!timeWord.test(passage.text)) return found;
  for (const [unit, relative, form] of forms) {
    for (const match of passage.text.matchAll(form)) {
      const start = passage.start + match.index;
      const span = { start, end: start + match[0].length, text: match[0] };
      found.push({ unit, relative, absolute: resolved(unit, relative, published), ...span });
    }
  }
  return found;
}

/** The calendar value of "last month". */
function resolved(unit: string, relative: number, published: Day | null): string | null {
  const day = published === null ? null : calendarDay(published);
  if (day === null) return null;
  if (unit === 'year') return String(day.year + relative);
  if (unit === 'month') return String(((day.month - 1 + relative + 12) % 12) + 1);
  if (unit !== 'day') return null;
  const then = addDays(day, relative);
  return `${then.month}-${then.day}`;
}

function datePeriods(date: StatedDate, published: Day | null): Period[] {
  const { start, end, text } = date;
  const one = (unit: string, absolute: string): Period => ({
    unit,
    absolute,
    relative: null,
    start,
    end,
    text,
  });
  const periods: Period[] = [];
  if (date.year !== undefined) periods.push(one('year', String(date.year)));
  if (date.month !== undefined) periods.push(one('month', String(date.month)));
  if (date.quarter !== undefined) periods.push(one('quarter', String(date.quarter)));
  if (date.month !== undefined && date.day !== undefined)
    periods.push(one('day', `${date.month}-${date.day}`));
  const day = calendarDay(published?.year === undefined ? date : { year: published.year, ...date });
  const weekday = date.weekday ?? (day === null ? undefined : weekdayOf(day));
  if (weekday !== undefined) periods.push(one('weekday', String(weekday)));
  return periods;
}

function isSame(one: Period, other: Period): boolean {
  return (
    (one.absolute !== null && one.absolute === other.absolute) ||
    (one.relative !== null && one.relative === other.relative)
  );
}

function differs(one: Period, other: Period): boolean {
  if (isSame(one, other)) return false;
  return (
    (one.absolute !== null && other.absolute !== null) || (one.relative !== null && other.relative !== null)
  );
}

const scoreMin = 0.5;
const margin = 0.12;

/** Times of the claim that differ from the times of the sentences that say the same. */
export function misplacedPeriods(claim: Passage, aligned: readonly Aligned[]): string[] {
  const [first] = aligned;
  const claimed = periodsOf(claim, first?.source.published ?? null);
  if (claimed.length === 0) return [];
  const stated = aligned
    .filter(({ score }) => score > 0.1)
    .map((one) => ({ ...one, periods: knownPeriods(one.passage, one.source.published) }));
  return claimed
    .filter((period) => {
      const ofUnit = stated.filter(({ periods }) => periods.some(({ unit }) => unit === period.unit));
      const agrees = (one: (typeof stated)[number]): boolean =>
        one.periods.some((other) => other.unit === period.unit && isSame(period, other));
      const opposes = (one: (typeof stated)[number]): boolean =>
        one.periods.some((other) => other.unit === period.unit && differs(period, other));
      const best = Math.max(0, ...ofUnit.filter(agrees).map(({ score }) => score));
      const rival = Math.max(
        0,
        ...ofUnit.filter((one) => !agrees(one) && opposes(one)).map(({ score }) => score),
      );
      return rival >= scoreMin && rival > best + margin;
    })
    .map(({ text }) => text);
}

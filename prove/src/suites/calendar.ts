import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { CalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import { parseCalendarDate } from '../../../apps/server/src/foundation/calendar/calendar-date.ts';
import {
  calendarMonthOf,
  firstDayOfMonth,
  lastDayOfMonth,
  parseCalendarMonth,
} from '../../../apps/server/src/foundation/calendar/calendar-month.ts';
import {
  firstDayOfWeek,
  isoWeekOf,
  lastDayOfWeek,
  parseIsoWeek,
} from '../../../apps/server/src/foundation/calendar/iso-week.ts';
import { shanghaiDateOf } from '../../../apps/server/src/foundation/calendar/shanghai-time.ts';
import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { instantFromMs, instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import type { EditionWindow } from '../../../apps/server/src/record/editions/edition-calendar.ts';
import { editionCalendar } from '../../../apps/server/src/record/editions/edition-calendar.ts';
import type { OracleDay, Period } from '../calendar-oracle.ts';
import { periodsOf, shanghaiWallTime, walkDays } from '../calendar-oracle.ts';
import { countEditions } from '../news/calendar-editions.ts';

const [firstYear, lastYear] = [2020, 2030];

/** One period of the server's calendar, in the oracle's form. */
interface Answer {
  readonly label: string;
  readonly first: string;
  readonly last: string;
  readonly window: EditionWindow;
  readonly due: EpochMicroseconds;
}

interface PeriodCheck {
  readonly unit: string;
  /** The number from 2020 to 2030, so that a walk that stops early is detected. */
  readonly total: number;
  readonly labelOf: (day: OracleDay) => string;
  readonly answerOf: (label: string) => Answer | null;
  readonly dueAt: (period: Period) => string;
}

const checks: readonly PeriodCheck[] = [
  {
    unit: 'days',
    total: 11 * 365 + 3,
    labelOf: (day) => day.date,
    answerOf: dailyAnswer,
    dueAt: (period) => `${period.label} 08:00:00`,
  },
  {
    unit: 'ISO weeks',
    total: 11 * 52 + 2,
    labelOf: (day) => day.week,
    answerOf: weeklyAnswer,
    dueAt: (period) => `${period.dayAfter} 10:00:00`,
  },
  {
    unit: 'months',
    total: 11 * 12,
    labelOf: (day) => day.month,
    answerOf: monthlyAnswer,
    dueAt: (period) => `${period.dayAfter} 10:30:00`,
  },
];

export const suite: Suite = {
  name: 'calendar',
  summary:
    'Every day, ISO week and month from 2020 to 2030 has the correct label, window, due time and address, and each edition is due exactly once.',
  promise:
    'Every Shanghai day, ISO week and month from 2020 to 2030 is compared with a calendar that counts day by day and with the wall time of Intl. Each has the correct label, edition window and due time. Labels that do not exist are refused. Each edition becomes due exactly once, and its address and its entry in the index show the correct days.',
  measuresNoTime: true,
  run: async (context) => {
    // A few days beyond both ends, so that the first and last periods have neighbours.
    const days = [...walkDays(lastYear + 1)];
    const dailies = inYears(periodsOf(days, (day) => day.date));
    const weeklies = inYears(periodsOf(days, (day) => day.week));
    const monthlies = inYears(periodsOf(days, (day) => day.month));
    for (const check of checks) countPeriods(context, check, inYears(periodsOf(days, check.labelOf)));
    countMembers(context, days);
    countLabels(context, { dailies, weeklies, monthlies });
    countDue(context, { dailies, weeklies, monthlies });
    countInstants(context, context.quick ? 20_000 : 400_000);
    await countEditions(context, { dailies, weeklies, monthlies });
  },
};

function inYears(periods: readonly Period[]): Period[] {
  return periods.filter(({ label }) => label >= String(firstYear) && label < String(lastYear + 1));
}

function dailyAnswer(text: string): Answer | null {
  const parsed = parseCalendarDate(text);
  if (!parsed.ok) return null;
  const day = parsed.value;
  const label = shanghaiDateOf(editionCalendar.daily.due(day));
  return {
    label,
    first: day,
    last: day,
    window: editionCalendar.daily.window(day),
    due: editionCalendar.daily.due(day),
  };
}

function weeklyAnswer(text: string): Answer | null {
  const parsed = parseIsoWeek(text);
  if (!parsed.ok) return null;
  const [week, first, last] = [parsed.value, firstDayOfWeek(parsed.value), lastDayOfWeek(parsed.value)];
  return {
    label: isoWeekOf(first),
    first,
    last,
    window: editionCalendar.weekly.window(week),
    due: editionCalendar.weekly.due(week),
  };
}

function monthlyAnswer(text: string): Answer | null {
  const parsed = parseCalendarMonth(text);
  if (!parsed.ok) return null;
  const [month, first, last] = [parsed.value, firstDayOfMonth(parsed.value), lastDayOfMonth(parsed.value)];
  return {
    label: calendarMonthOf(last),
    first,
    last,
    window: editionCalendar.monthly.window(month),
    due: editionCalendar.monthly.due(month),
  };
}

function countPeriods(context: SuiteContext, check: PeriodCheck, periods: readonly Period[]): void {
  let wrong = 0;
  for (const period of periods) {
    const answer = check.answerOf(period.label);
    const expected = [
      period.label,
      period.first,
      period.last,
      `${period.dayBefore} 08:00:00`,
      `${period.last} 08:00:00`,
      check.dueAt(period),
    ];
    const given =
      answer === null
        ? []
        : [
            answer.label,
            answer.first,
            answer.last,
            wall(answer.window.start),
            wall(answer.window.end),
            wall(answer.due),
          ];
    if (given.join() !== expected.join()) {
      wrong += 1;
      context.note(`${period.label}: expected ${expected.join(', ')}; given ${given.join(', ')}`);
    }
  }
  context.figure({
    name: `${check.unit} checked`,
    value: periods.length,
    unit: check.unit,
    goal: { exactly: check.total },
  });
  context.figure({
    name: `${check.unit} with a wrong label, bound, window or due instant`,
    value: wrong,
    unit: check.unit,
    goal: { exactly: 0 },
  });
}

function countMembers(context: SuiteContext, days: readonly OracleDay[]): void {
  const wrong = days.filter(({ date, week, month }) => {
    const day = date as CalendarDate;
    return isoWeekOf(day) !== week || calendarMonthOf(day) !== month;
  }).length;
  context.figure({
    name: 'days in a wrong week or month',
    value: wrong,
    unit: 'days',
    goal: { exactly: 0 },
  });
}

interface Calendars {
  readonly dailies: readonly Period[];
  readonly weeklies: readonly Period[];
  readonly monthlies: readonly Period[];
}

/** Every spelling of the right shape, real or not: exactly the real ones are accepted. */
function countLabels(context: SuiteContext, calendars: Calendars): void {
  const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => String(firstYear + index));
  const months = years.flatMap((year) => twoDigits.map((part) => `${year}-${part}`));
  const weeks = years.flatMap((year) => twoDigits.map((part) => `${year}-W${part}`));
  const dates = months.flatMap((month) => twoDigits.map((part) => `${month}-${part}`));
  const labelsOf = (periods: readonly Period[]): Set<string> => new Set(periods.map(({ label }) => label));
  const misjudged = (
    labels: readonly string[],
    real: Set<string>,
    parse: (text: string) => { readonly ok: boolean },
  ): number => labels.filter((label) => parse(label).ok !== real.has(label)).length;
  context.figure({
    name: 'spellings tried',
    value: dates.length + weeks.length + months.length,
    unit: 'labels',
  });
  context.figure({
    name: 'impossible labels accepted or real ones refused',
    value:
      misjudged(dates, labelsOf(calendars.dailies), parseCalendarDate) +
      misjudged(weeks, labelsOf(calendars.weeklies), parseIsoWeek) +
      misjudged(months, labelsOf(calendars.monthlies), parseCalendarMonth),
    unit: 'labels',
    goal: { exactly: 0 },
  });
}

/** A reconciler that wakes at odd times over eleven years makes every edition, once and in order. */
function countDue(context: SuiteContext, calendars: Calendars): void {
  const random = seededRandom(11);
  const wakes = [instantFromMs(-1 + instantToMs(editionCalendar.daily.due('2020-01-01' as CalendarDate)))];
  const end = instantToMs(editionCalendar.daily.due('2031-01-10' as CalendarDate));
  for (let at = instantToMs(wakes[0] as EpochMicroseconds); at < end;) {
    at += Math.floor(random() ** 4 * 90 * dayMs) + 1;
    wakes.push(instantFromMs(at));
  }
  const met = (editionsDue: (after: EpochMicroseconds, until: EpochMicroseconds) => string[]): string[] =>
    wakes
      .slice(1)
      .flatMap((wake, index) => editionsDue(wakes[index] as EpochMicroseconds, wake))
      .filter((label) => label >= String(firstYear) && label < String(lastYear + 1));
  const differs = (labels: readonly string[], periods: readonly Period[]): number =>
    Math.abs(labels.length - periods.length) +
    periods.filter(({ label }, index) => label !== labels[index]).length;
  context.figure({ name: 'wakes of a reconciler', value: wakes.length - 1, unit: 'wakes' });
  context.figure({
    name: 'editions missed, doubled or out of order',
    value:
      differs(met(editionCalendar.daily.dueBetween), calendars.dailies) +
      differs(met(editionCalendar.weekly.dueBetween), calendars.weeklies) +
      differs(met(editionCalendar.monthly.dueBetween), calendars.monthlies),
    unit: 'editions',
    goal: { exactly: 0 },
  });
}

/** Random instants, half of them within a second of midnight, 08:00 or 16:00, where mistakes live. */
function countInstants(context: SuiteContext, total: number): void {
  const random = seededRandom(2020);
  const start = instantToMs(editionCalendar.daily.due('2020-01-02' as CalendarDate));
  let wrong = 0;
  for (let probe = 0; probe < total; probe += 1) {
    const anywhere = start + Math.floor(random() * 4000 * dayMs);
    const edge = Math.floor(anywhere / 28_800_000) * 28_800_000 + Math.floor(random() * 2000) - 1000;
    const milliseconds = probe % 2 === 0 ? anywhere : edge;
    const instant = instantFromMs(milliseconds);
    const [date, time = ''] = shanghaiWallTime(milliseconds).split(' ');
    const day = shanghaiDateOf(instant);
    const window = editionCalendar.daily.window(day);
    const inside = instant >= window.start && instant < window.end;
    if (day !== date || inside !== time < '08:00:00') wrong += 1;
  }
  context.figure({ name: 'instants probed', value: total, unit: 'instants' });
  context.figure({
    name: 'instants on a wrong day or the wrong side of 08:00',
    value: wrong,
    unit: 'instants',
    goal: { exactly: 0 },
  });
}

function wall(instant: EpochMicroseconds): string {
  return shanghaiWallTime(instantToMs(instant));
}

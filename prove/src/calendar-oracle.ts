/** One day of the walk, computed without Temporal and without the server's calendar. */
export interface OracleDay {
  readonly date: string;
  readonly week: string;
  readonly month: string;
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/**
 * Walks from Monday 30 December 2019, the first day of 2020-W01, one day at a time, by the rule of leap years.
 * A week takes the year that contains its Thursday; its number is how many Thursdays that year has had.
 */
export function* walkDays(untilYear: number): Generator<OracleDay> {
  let [year, month, day] = [2019, 12, 30];
  const step = (): void => {
    day += 1;
    if (day > monthLength(year, month)) [month, day] = [month + 1, 1];
    if (month > 12) [year, month] = [year + 1, 1];
  };
  const thursdays = new Map<number, number>();
  for (;;) {
    const days: { readonly year: number; readonly month: string; readonly date: string }[] = [];
    for (let weekday = 1; weekday <= 7; weekday += 1, step()) {
      const label = `${pad(year, 4)}-${pad(month, 2)}`;
      days.push({ year, month: label, date: `${label}-${pad(day, 2)}` });
    }
    const weekYear = days[3]?.year ?? 0;
    const number = (thursdays.get(weekYear) ?? 0) + 1;
    thursdays.set(weekYear, number);
    for (const one of days) {
      if (one.year > untilYear) return;
      yield { date: one.date, week: `${pad(weekYear, 4)}-W${pad(number, 2)}`, month: one.month };
    }
  }
}

/** Days in a row that share a label, with the days on both sides of them. */
export interface Period {
  readonly label: string;
  readonly first: string;
  readonly last: string;
  readonly dayBefore: string;
  readonly dayAfter: string;
}

/** The last one is omitted: only the day after it would show that it is complete. */
export function periodsOf(days: readonly OracleDay[], labelOf: (day: OracleDay) => string): Period[] {
  const periods: Period[] = [];
  let [dayBefore, first, last] = ['2019-12-29', days[0], days[0]];
  for (const day of days) {
    if (first !== undefined && last !== undefined && labelOf(day) !== labelOf(first)) {
      periods.push({
        label: labelOf(first),
        first: first.date,
        last: last.date,
        dayBefore,
        dayAfter: day.date,
      });
      [dayBefore, first] = [last.date, day];
    }
    last = day;
  }
  return periods;
}

function monthLength(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const shanghai = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `2026-11-15 08:00:00`, as a clock on a wall in Shanghai shows it. */
export function shanghaiWallTime(milliseconds: number): string {
  return shanghai.format(milliseconds);
}

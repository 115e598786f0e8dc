import { html } from 'ghtml';

import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { addDays, plainDate } from '../../foundation/calendar/calendar-date.ts';
import type { CalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import {
  addMonths,
  calendarMonthOf,
  firstDayOfMonth,
  lastDayOfMonth,
} from '../../foundation/calendar/calendar-month.ts';
import { firstDayOfWeek, isoWeekOf } from '../../foundation/calendar/iso-week.ts';
import { editions, publicPaths } from '../../record/index.ts';
import { clipped, titleCharsMax } from './clipped.ts';
import { editionLabel } from './edition-parts.ts';
import { monthName, shortMonth } from './moments.ts';
import { langOf } from './news-parts.ts';
import type { PageContext } from './page-context.ts';

/** Beside a daily or weekly the days of its month; beside a monthly the months of its year. */
export async function editionCalendarPart(
  edition: editions.RecordedEdition,
  context: PageContext,
): Promise<string> {
  const { record, words, href } = context;
  const start = edition.periodStart as CalendarDate;
  const days = spanOf(edition.kind, start);
  const { periods, first, last } = await record.editionCalendar(edition.kind, days);
  const all = html`<p class="meta">
    <a href="${href(`/${edition.kind}/archive`)}">${words.edition.archive[edition.kind]}</a>
  </p>`;
  const end = (name: string, period: string | null): string =>
    period === null || period === edition.period
      ? ''
      : html`<p class="meta">
          <a href="${href(publicPaths.editionPath({ kind: edition.kind, period }))}">${name}</a>
        </p>`;
  const ends = end(words.edition.earliest, first) + end(words.edition.latest, last);
  if (edition.kind === 'monthly') return yearOfMonths(start, periods, edition.period, context) + all;
  return (
    monthTable(calendarMonthOf(start), { kind: edition.kind, periods, current: edition.period }, context) +
    ends +
    all
  );
}

function spanOf(kind: editions.EditionKind, start: CalendarDate): { from: CalendarDate; to: CalendarDate } {
  if (kind === 'monthly')
    return {
      from: `${start.slice(0, 4)}-01-01` as CalendarDate,
      to: `${start.slice(0, 4)}-12-31` as CalendarDate,
    };
  const month = calendarMonthOf(start);
  // A week belongs to the month of its Monday, or to the one before.
  return { from: addDays(firstDayOfMonth(month), -7), to: lastDayOfMonth(month) };
}

interface MonthOptions {
  readonly kind: 'daily' | 'weekly';
  readonly periods: ReadonlySet<string>;
  readonly current: string | null;
}

/** A month calendar. Days without an edition are plain numbers; for weeklies the whole row is the link. */
function monthTable(
  month: CalendarMonth,
  { kind, periods, current }: MonthOptions,
  context: PageContext,
): string {
  const { href } = context;
  return dayTable(month, context, (day) => {
    const period = kind === 'daily' ? day : isoWeekOf(day);
    if (!periods.has(period)) return null;
    return { href: href(publicPaths.editionPath({ kind, period })), isCurrent: period === current };
  });
}

/** The days of a month, linked where a link is given. */
export function dayTable(
  month: CalendarMonth,
  { words, language }: PageContext,
  linkOf: (day: CalendarDate) => { readonly href: string; readonly isCurrent: boolean } | null,
): string {
  const firstDay = firstDayOfMonth(month);
  const weeks: CalendarDate[] = [];
  for (
    let monday = firstDayOfWeek(isoWeekOf(firstDay));
    monday <= lastDayOfMonth(month);
    monday = addDays(monday, 7)
  )
    weeks.push(monday);
  const cell = (day: CalendarDate): string => {
    const number = String(plainDate(day).day);
    if (calendarMonthOf(day) !== month) return '<td></td>';
    const link = linkOf(day);
    if (link === null) return html`<td class="none">${number}</td>`;
    return html`<td !${link.isCurrent ? 'class="current"' : ''}>
      <a href="${link.href}" !${link.isCurrent ? 'aria-current="date"' : ''}>${number}</a>
    </td>`;
  };
  return html`<table class="calendar">
    <caption>
      ${monthName(firstDay, language)}
    </caption>
    <thead>
      <tr>
        !${words.edition.weekdays.map((day) => html`<th scope="col">${day}</th>`)}
      </tr>
    </thead>
    <tbody>
      !${weeks.map(
        (monday) =>
          html`<tr>
            !${[0, 1, 2, 3, 4, 5, 6].map((offset) => cell(addDays(monday, offset)))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function yearOfMonths(
  start: CalendarDate,
  periods: ReadonlySet<string>,
  current: string | null,
  { href, language }: PageContext,
): string {
  const year = start.slice(0, 4);
  const months = Array.from({ length: 12 }, (_, index) => addMonths(`${year}-01` as CalendarMonth, index));
  return html`<ul class="months" aria-label="${year}">
    !${months.map((month) => {
      const name = shortMonth(firstDayOfMonth(month), language);
      if (!periods.has(month)) return html`<li class="none">${name}</li>`;
      const isCurrent = month === current;
      return html`<li !${isCurrent ? 'class="current"' : ''}>
        <a
          href="${href(publicPaths.editionPath({ kind: 'monthly', period: month }))}"
          !${isCurrent ? 'aria-current="date"' : ''}
          >${name}</a
        >
      </li>`;
    })}
  </ul>`;
}

/** Every edition: calendars for dailies and weeklies, then all of them with their headlines. */
export function editionArchive(recorded: readonly editions.EditionEntry[], context: PageContext): string {
  const { words, href, language } = context;
  const entries = recorded.map((entry) => editions.words.wordEntry(entry, language));
  const [newest] = entries;
  if (newest === undefined) return html`<p class="empty">${words.edition.none}</p>`;
  const periods = new Set(entries.map(({ period }) => period));
  const months = [...new Set(entries.map(({ periodStart }) => calendarMonthOf(periodStart as CalendarDate)))];
  const { kind } = newest;
  const calendars =
    kind === 'monthly'
      ? [...new Set(months.map((month) => month.slice(0, 4)))].map(
          (year) =>
            html`<div>
              <p class="year">${year}</p>
              !${yearOfMonths(`${year}-01-01` as CalendarDate, periods, null, context)}
            </div>`,
        )
      : months.map((month) => monthTable(month, { kind, periods, current: null }, context));
  return html`<div class="calendars">!${calendars}</div>
    <ul class="plain-list archive">
      !${entries.map(
        (entry) =>
          html`<li data-entry="${entry.period}">
            <a href="${href(publicPaths.editionPath(entry))}" !${langOf(entry.language, context)}
              >${clipped(entry.headline, titleCharsMax)}</a
            >
            <div class="meta">${editionLabel(entry, language)}</div>
          </li>`,
      )}
    </ul>`;
}

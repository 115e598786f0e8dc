import { html } from 'ghtml';

import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { plainDate } from '../../foundation/calendar/calendar-date.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { instantToMs, isoMilliseconds } from '../../foundation/instant.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';

// Times are written in Shanghai time, like the calendar of the editions; a script converts them to local time.
const timeZone = 'Asia/Shanghai';
const locales: Readonly<Record<InterfaceLanguage, string>> = { en: 'en-GB', zh: 'zh-CN' };
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const formats = {
  clock: formatsOf(clock),
  moment: formatsOf({ day: 'numeric', month: 'short', ...clock }),
  dayName: formatsOf({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
  shortDay: formatsOf({ weekday: 'short', day: 'numeric', month: 'short' }),
  shortMonth: formatsOf({ month: 'short' }),
  monthName: formatsOf({ month: 'long', year: 'numeric' }),
};

function formatsOf(
  options: Intl.DateTimeFormatOptions,
): Readonly<Record<InterfaceLanguage, Intl.DateTimeFormat>> {
  const of = (language: InterfaceLanguage): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locales[language], { timeZone, ...options });
  return { en: of('en'), zh: of('zh') };
}

/** `17:02`, as HTML. */
export function clockTime(instant: EpochMicroseconds): string {
  return timeElement(instant, 'clock', formats.clock.en);
}

/** `15 Nov, 17:02`, as HTML. */
export function moment(instant: EpochMicroseconds, language: InterfaceLanguage): string {
  return timeElement(instant, 'moment', formats.moment[language]);
}

/** `Sunday, 15 November 2026`. */
export function dayName(instant: EpochMicroseconds, language: InterfaceLanguage): string {
  return formats.dayName[language].format(instantToMs(instant));
}

/** `Sun, 15 Nov`. */
export function shortDay(instant: EpochMicroseconds, language: InterfaceLanguage): string {
  return formats.shortDay[language].format(instantToMs(instant));
}

export function dateName(date: CalendarDate, language: InterfaceLanguage): string {
  return formats.dayName[language].format(noonOf(date));
}

export function shortMonth(date: CalendarDate, language: InterfaceLanguage): string {
  return formats.shortMonth[language].format(noonOf(date));
}

export function monthName(date: CalendarDate, language: InterfaceLanguage): string {
  return formats.monthName[language].format(noonOf(date));
}

function noonOf(date: CalendarDate): number {
  return plainDate(date).toZonedDateTime({ timeZone, plainTime: '12:00' }).epochMilliseconds;
}

function timeElement(instant: EpochMicroseconds, form: string, format: Intl.DateTimeFormat): string {
  return html`<time datetime="${isoMilliseconds(instant)}" data-form="${form}"
    >${format.format(instantToMs(instant))}</time
  >`;
}

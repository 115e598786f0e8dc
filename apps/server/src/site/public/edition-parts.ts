import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import type { editions } from '../../record/index.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import { wordsOf } from '../shell/words/words.ts';
import { dateName, monthName } from './moments.ts';

/** The period of an edition in words. */
export function editionLabel(
  { kind, period, periodStart, periodEnd }: editions.EditionEntry,
  language: InterfaceLanguage,
): string {
  const start = periodStart as CalendarDate;
  if (kind === 'daily') return dateName(start, language);
  if (kind === 'monthly') return monthName(start, language);
  const { week, the } = {
    week: wordsOf(language).edition.week(Number(period.slice(6))),
    the: wordsOf(language).edition.to,
  };
  return `${week}, ${dateName(start, language)} ${the} ${dateName(periodEnd as CalendarDate, language)}`;
}

export function mixOf({ sections }: editions.RecordedEdition): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { category } of sections.flatMap(({ items }) => items))
    counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

import { daysOf, isoTime } from '../sources/calendar-time.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthFirst =
  /\b([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,? (\d{1,2}):(\d{2})(?: ?([ap])m)?)?/i;
const dayFirst = /\b(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})()()()/i;

/** A date in English words, such as “May 8, 2025 8:45 AM” or “Sunday, 3 November 2024”, as ISO 8601; null for others. */
export function spokenDate(text: string): string | null {
  const first = monthFirst.exec(text);
  const found = first ?? dayFirst.exec(text);
  if (found === null) return null;
  const [, one = '', two = '', year = '', hours = '', minutes = '', half = ''] = found;
  const [name, day] = first === null ? [two, Number(one)] : [one, Number(two)];
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  if (month === 0 || day < 1 || day > 31) return null;
  const days = daysOf(Number(year), month, day);
  if (hours === '') return isoTime(days * 86_400).slice(0, 10);
  const shift = half === '' ? 0 : (half.toLowerCase() === 'p' ? 12 : 0) - (Number(hours) === 12 ? 12 : 0);
  return isoTime(days * 86_400 + (Number(hours) + shift) * 3600 + Number(minutes) * 60).slice(0, 16);
}

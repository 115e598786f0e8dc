/** Days since 1970 of a date in the Gregorian calendar. */
export function daysOf(year: number, month: number, day: number): number {
  const years = month <= 2 ? year - 1 : year;
  const era = Math.floor(years / 400);
  const yearOfEra = years - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Seconds since 1970 as ISO 8601 in UTC; empty for years that have no four digits. */
export function isoTime(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const whole = Math.floor(seconds);
  const days = Math.floor(whole / 86_400);
  const date = civilDate(days);
  if (!/^\d{4}-/.test(date)) return '';
  const clock = whole - days * 86_400;
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [Math.floor(clock / 3600), Math.floor(clock / 60) % 60, clock % 60].map(two).join(':');
  return `${date}T${time}Z`;
}

const written =
  /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*$/;

/** Seconds since 1970 of a time in ISO 8601, in its basic or extended form; null if it is none. */
export function secondsOf(text: string): number | null {
  const found = written.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/.exec(found[7] ?? '') ?? [];
  const shift = (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
  return daysOf(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - shift;
}

/** The date of a day since 1970. */
function civilDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * part + 2) / 5) + 1;
  const month = part < 10 ? part + 3 : part - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

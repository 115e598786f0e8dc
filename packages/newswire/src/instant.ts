/** Whole microseconds since 1970; exact as a number until the year 2255. */
export type Micros = number;

export const microsPerHour = 3_600_000_000;
const microsPerDay = 86_400_000_000;

const days = new Map<number, string>();

/** ISO 8601 in UTC with all six digits, e.g. 2026-10-01T08:15:00.000250Z. */
export function isoMicros(at: Micros): string {
  const day = Math.floor(at / microsPerDay);
  const rest = at - day * microsPerDay;
  const seconds = Math.floor(rest / 1_000_000);
  const hour = Math.floor(seconds / 3600);
  const minute = Math.floor(seconds / 60) % 60;
  return `${dateOf(day)}T${two(hour)}:${two(minute)}:${two(seconds % 60)}.${String(rest % 1_000_000).padStart(6, '0')}Z`;
}

/** 1 is Monday, 7 is Sunday, in UTC. */
export function weekday(at: Micros): number {
  return ((Math.floor(at / microsPerDay) + 3) % 7) + 1;
}

export function dayPath(at: Micros): string {
  return dateOf(Math.floor(at / microsPerDay)).replaceAll('-', '/');
}

function dateOf(day: number): string {
  let text = days.get(day);
  if (text === undefined) {
    if (days.size > 4096) days.clear();
    text = Temporal.PlainDate.from('1970-01-01').add({ days: day }).toString();
    days.set(day, text);
  }
  return text;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

import type { Micros } from '../instant.ts';
import { isoMicros, weekday } from '../instant.ts';
import type { FeedDocument } from './feed-document.ts';

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

type Dating = Pick<FeedDocument, 'zoneMinutes' | 'dates'>;

/** As RSS 2.0 writes it: `Tue, 03 Mar 2026 08:15:00 +0800`. */
export function mailDate(at: Micros, { zoneMinutes, dates }: Dating): string {
  const local = at + zoneMinutes * 60_000_000;
  const [date = '', time = ''] = isoMicros(local).split('T');
  if (dates === 'unreadable') return `${date.replaceAll('-', '.')} at ${time.slice(0, 5)}`;
  const [year, month = '1', day] = date.split('-');
  const text = `${days[weekday(local) - 1]}, ${day} ${months[Number(month) - 1]} ${year} ${time.slice(0, 8)}`;
  return dates === 'without-zone' ? text : `${text} ${zoneMinutes === 0 ? 'GMT' : offset(zoneMinutes, '')}`;
}

/** As Atom, JSON Feed and Dublin Core write it: `2026-03-03T08:15:00+08:00`. */
export function isoDate(at: Micros, { zoneMinutes, dates }: Dating): string {
  const text = isoMicros(at + zoneMinutes * 60_000_000).slice(0, 19);
  if (dates === 'unreadable') return text.replace('T', ' at ').replaceAll('-', '.');
  if (dates === 'without-zone') return text;
  return zoneMinutes === 0 ? `${text}Z` : text + offset(zoneMinutes, ':');
}

/** As HTTP writes it. */
export function httpDate(at: Micros): string {
  return mailDate(at, { zoneMinutes: 0, dates: 'right' });
}

function offset(minutes: number, between: string): string {
  const size = Math.abs(minutes);
  const [hour, minute] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hour}${between}${minute}`;
}

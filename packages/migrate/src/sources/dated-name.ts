import { isDateLine } from './journal-date.ts';

const year = /^(?:19|20)\d{2}$/;
const monthNames =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const period = new RegExp(
  `^(?:(?:19|20)\\d{2}[-_. ]?(?:0[1-9]|1[0-2]|w\\d{1,2}|q[1-4]|${monthNames})|(?:${monthNames}|w\\d{1,2}|q[1-4])[-_. ](?:19|20)\\d{2}|(?:19|20)\\d{2}年(?:\\d{1,2}月)?)$`,
  'i',
);
const leadingDay = /^(?:19|20)\d{2}[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)/;

/** What the name of a note says about its date. */
export type DatedName = 'day' | 'period' | 'year' | 'day and title';

export function datedName(base: string): DatedName | null {
  const name = base.trim();
  if (year.test(name)) return 'year';
  if (period.test(name)) return 'period';
  if (isDateLine(name.replace(/_/g, '-')) || isDateLine(name)) return 'day';
  if (!leadingDay.test(name)) return null;
  const rest = name.replace(leadingDay, '').trim();
  return rest === '' || /^[-_ ,]*(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*$/iu.test(rest)
    ? 'day'
    : 'day and title';
}

/** The name without its folders and its extension. */
export function baseOf(path: string): string {
  const bundle = /(?:^|\/)([^/]+)\.textbundle\/text\.[^/]+$/i.exec(path)?.[1];
  if (bundle !== undefined) return bundle;
  return (path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '').replace(/ [0-9a-f]{32}(?:_all)?$/i, '');
}

/** The folders around a note, the nearest first. */
export function foldersOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((folder) => folder.replace(/\.enex$/i, ''))
    .reverse();
}

export function isYear(name: string): boolean {
  return year.test(name);
}

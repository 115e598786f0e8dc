import { describe, expect, it } from 'vitest';

import { journalDate } from './journal-date.ts';

describe('a date that heads an entry', () => {
  it.each([
    '2019年1月13日 星期日',
    '2019年01月13日（周日）',
    '1月13日',
    '1/17/19',
    '17.1.2019',
    '20190128',
    '2019-01-28',
    '2019/1/28 21:30',
    '2019-01-28 Monday',
    'Monday, 28 January 2019',
    'Jan 28, 2019',
    'January 28th, 2019 at 9:30 pm',
    '28. Januar 2019',
    '13 de enero de 2019',
    'lunes, 13 de enero de 2019',
    'Mon 28 Jan',
    '**2019-01-28**',
    '[2019-01-28]',
  ])('%s', (line) => {
    expect(journalDate(`${line}\nRan far.`)).toBe(
      line.replace(/^[*[]+|[*\]）]+$/g, (mark) => (mark === '）' ? mark : '')),
    );
  });

  it.each([
    ['2019-01-28: ran far', '2019-01-28'],
    ['2019年1月13日：跑步', '2019年1月13日'],
    ['28 January 2019 – slept', '28 January 2019'],
  ])('before text: %s', (line, date) => {
    expect(journalDate(line)).toBe(date);
  });

  it.each([
    '20191328',
    '99/99/99',
    '1.2',
    'v1.2.19 is out',
    'May be',
    '2019',
    '12345678',
    'In 2019-01-28 we moved.',
    '2019-01-28 we moved',
  ])('none: %s', (line) => {
    expect(journalDate(line)).toBeNull();
  });
});

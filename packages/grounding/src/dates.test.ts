import { describe, expect, test } from 'vitest';

import { findDates } from './dates.ts';

function parts(text: string): object[] {
  const places = new Set(['start', 'end', 'text']);
  return findDates(text).map((date) =>
    Object.fromEntries(Object.entries(date).filter(([part]) => !places.has(part))),
  );
}

describe('dates', () => {
  test.each<[string, object]>([
    ['May 12, 2026', { year: 2026, month: 5, day: 12 }],
    ['12 May 2026', { year: 2026, month: 5, day: 12 }],
    ['2026-05-12', { year: 2026, month: 5, day: 12 }],
    ['2026年5月12日', { year: 2026, month: 5, day: 12 }],
    ['5 月 12 日', { month: 5, day: 12 }],
    ['Sept. 30', { month: 9, day: 30 }],
    ['July 4th', { month: 7, day: 4 }],
    ['in May', { month: 5 }],
    ['Q3 2026', { year: 2026, quarter: 3 }],
    ['the third quarter', { quarter: 3 }],
    ['2026 年第三季度', { year: 2026, quarter: 3 }],
    ['一季度', { quarter: 1 }],
    ['since 2019', { year: 2019 }],
    ['周三', { weekday: 3 }],
    ['on Wednesday', { weekday: 3 }],
    ['at 10:30', { time: '10:30' }],
  ])('%s', (text, expected) => expect(parts(text)).toEqual([expected]));

  test.each(['You may 5 of them', '2,026 people', '$2026', '2026 percent', '32 日', '13 月', 'may 99'])(
    'finds no date in: %s',
    (text) => expect(parts(text)).toEqual([]),
  );
});

import { expect, test } from 'vitest';

import { csvLine } from './csv.ts';

test('cells are quoted, quotes doubled, and lines end with CR LF', () => {
  expect(csvLine(['a', 'say "hi", Ada', 'two\nlines', null, '晨报'])).toBe(
    '"a","say ""hi"", Ada","two\nlines","","晨报"\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|calc', '%0A', '=HYPERLINK("x")'])(
  'a spreadsheet shows %j as text',
  (cell) => {
    expect(csvLine([cell])).toBe(`"'${cell.replaceAll('"', '""')}"\r\n`);
  },
);

test.each(['a=1', '2026-11-15', '{"a":1}', '10.0.0.1', ''])('%j is left as it is', (cell) => {
  expect(csvLine([cell])).toBe(`"${cell.replaceAll('"', '""')}"\r\n`);
});

import { expect, test } from 'vitest';

import { csvLine } from './csv.ts';

test('quotes cells, doubles quotes and ends lines with CR LF', () => {
  expect(csvLine(['a', 'say "hi", Ada', 'two\nlines', null, '晨报'])).toBe(
    '"a","say ""hi"", Ada","two\nlines","","晨报"\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '|calc', '%0A', '=HYPERLINK("x")'])(
  'makes a spreadsheet show %j as text',
  (cell) => {
    expect(csvLine([cell])).toBe(`"'${cell.replaceAll('"', '""')}"\r\n`);
  },
);

test.each(['a=1', '2026-11-15', '{"a":1}', '10.0.0.1', ''])('leaves %j unchanged', (cell) => {
  expect(csvLine([cell])).toBe(`"${cell.replaceAll('"', '""')}"\r\n`);
});

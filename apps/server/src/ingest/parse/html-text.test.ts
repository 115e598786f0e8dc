import { expect, test } from 'vitest';

import { htmlText, titleText } from './html-text.ts';

test.each([
  ['<p>One</p><p>Two &amp; three</p>', 'One\nTwo & three'],
  ['One<br>two<br/><br>three', 'One\ntwo\nthree'],
  ['a <b>b</b>\n  c', 'a b c'],
  ['x<script>alert(1)</script>y<style>p{}</style>', 'xy'],
  ['<p>Unclosed <i>tags', 'Unclosed tags'],
  ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
  ['<ul><li>One</li><li>Two</li></ul>', 'One\nTwo'],
  ['zero\u200bwidth \u00adsoft\u0000', 'zerowidth soft'],
  ['itâ€™s â€œquotedâ€\u009d', 'it’s “quoted”'],
  ['don\u0092t', 'don’t'],
  ['Ã‰TÃ‰', 'ÉTÉ'],
  ['ÉTÉ – naïve', 'ÉTÉ – naïve'],
])('the text of %j is %j', (html, expected) => {
  expect(htmlText(html)).toBe(expected);
});

test.each([
  ['AT&amp;T <b>buys</b> it', 'AT&T buys it'],
  ['Vec<T> and Array<string> explained', 'Vec<T> and Array<string> explained'],
  ['Why 1 < 2', 'Why 1 < 2'],
  ['Q&A with R&D', 'Q&A with R&D'],
  ['  two\n lines ', 'two lines'],
  ['<em>Vec</em> &lt;T&gt;', 'Vec <T>'],
])('the text of the title %j is %j', (title, expected) => {
  expect(titleText(title)).toBe(expected);
});

test('converts 250 kB of hostile markup in linear time', () => {
  const started = performance.now();
  for (const piece of [' ', ' \n', '<', '<a', '&', '<b>', '</b>', '<!--', 'â'])
    htmlText(`a${piece.repeat(250_000 / piece.length)}b`);
  expect(performance.now() - started).toBeLessThan(10_000);
});

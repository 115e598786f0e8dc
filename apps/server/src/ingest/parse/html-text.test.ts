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
  ['pay\u202eload\u202c and \u2066iso\u2069late', 'payload and isolate'],
  ['sent\u{e0069}\u{e0067}\u{e007f}ence', 'sentence'],
  ['w\u200do\u200crd', 'word'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष', 'क्\u200dष'],
  ['👩\u200d🚀', '👩\u200d🚀'],
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

test.each([
  'hidden',
  'aria-hidden="true"',
  'style="display:none"',
  'style="DISPLAY : none !important"',
  'style="visibility: hidden"',
  'style="opacity:0"',
  'style="font-size:0px"',
  'style="height:0;overflow:hidden"',
  'style="position:absolute;left:-9999px"',
  'style="text-indent:-9999px"',
  'style="clip:rect(0,0,0,0)"',
  'style="color:#fff;background:white"',
  'style="background-color:rgb(0, 0, 0);color:#000000"',
  'style="color:transparent"',
])('text of an element with %s is not part of the text', (attributes) => {
  expect(htmlText(`Seen <span ${attributes}>hidden <b>inner</b> words<br></span>again`)).toBe('Seen again');
});

test.each([
  'style="display:block"',
  'style="opacity:0.9"',
  'style="height:0"',
  'style="position:relative;left:-2px"',
  'style="color:#fff;background:#333"',
  'aria-hidden="false"',
])('text of an element with %s is part of the text', (attributes) => {
  expect(htmlText(`Seen <span ${attributes}>shown </span>again`)).toBe('Seen shown again');
});

test('converts 250 kB of hostile markup in linear time', () => {
  const started = performance.now();
  for (const piece of [' ', ' \n', '<', '<a', '&', '<b>', '</b>', '<!--', 'â'])
    htmlText(`a${piece.repeat(250_000 / piece.length)}b`);
  expect(performance.now() - started).toBeLessThan(10_000);
});

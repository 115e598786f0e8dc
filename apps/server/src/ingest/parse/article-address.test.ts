import fc from 'fast-check';
import { expect, test } from 'vitest';

import { addressKey, articleAddress, resolveAddress } from './article-address.ts';

/** The form of Google News addresses until 2024. */
const googleNews = `https://news.google.com/rss/articles/${Buffer.from('\x08\x13"\x20https://site.example/a/story.html\xd2\x01\x00', 'latin1').toString('base64url')}?oc=5`;

test.each([
  ['https://site.example/a?utm_source=rss&id=7&utm_medium=feed', 'https://site.example/a?id=7'],
  ['https://site.example/a?ref=rss&mod=rss_Technology&ref=docs', 'https://site.example/a?ref=docs'],
  ['https://site.example/a#xtor=RSS-1', 'https://site.example/a'],
  ['https://site.example/changelog#v2', 'https://site.example/changelog#v2'],
  ['https://site.example/a?b=c%20d', 'https://site.example/a?b=c%20d'],
  [
    'https://www.google.com/url?rct=j&sa=t&url=https%3A%2F%2Fsite.example%2Fa%3Futm_source%3Dx&ct=ga',
    'https://site.example/a',
  ],
  [
    'https://www.bing.com/news/apiclick.aspx?ref=FexRss&url=https%3a%2f%2fsite.example%2fa',
    'https://site.example/a',
  ],
  ['https://link.zhihu.com/?target=https%3A//site.example/a', 'https://site.example/a'],
  [googleNews, 'https://site.example/a/story.html'],
])('resolves %s to the article', (address, expected) => {
  expect(articleAddress(address)).toEqual({ url: expected, isRedirector: false });
});

test.each([
  'https://feedproxy.google.com/~r/site/~3/abc/',
  'https://t.co/abc',
  'https://news.google.com/rss/articles/CBMiAUFVX3lxTE9oellvd2xyag',
])('recognises %s as a redirector', (address) => {
  expect(articleAddress(address).isRedirector).toBe(true);
});

test('never resolves a redirector to an address that is not http or https', () => {
  expect(articleAddress('https://www.google.com/url?q=javascript:alert(1)').url).toContain('www.google.com');
});

test.each([
  ['http://www.site.example/a/', 'https://site.example/a'],
  ['https://site.example/a/index.html?utm_campaign=x', 'https://site.example/a'],
  ['https://site.example/a?x=1&y=2', 'https://site.example/a?y=2&x=1'],
  ['https://amp.site.example/a/amp', 'https://site.example/a/'],
  ['https://user:secret@site.example/a', 'https://site.example/a'],
])('%s and %s have the same key', (one, other) => {
  expect(addressKey(one)).toBe(addressKey(other));
});

test.each([
  ['https://site.example/a', 'https://site.example/b'],
  ['https://site.example/?p=1', 'https://site.example/?p=2'],
  ['https://site.example/changelog#v1', 'https://site.example/changelog#v2'],
  ['https://one.site.example/a', 'https://two.site.example/a'],
])('%s and %s have different keys', (one, other) => {
  expect(addressKey(one)).not.toBe(addressKey(other));
});

const addresses = fc
  .tuple(
    fc.constantFrom('http://www.site.example', 'https://site.example:8443', 'https://amp.site.example'),
    fc.constantFrom('/', '/a', '/a/', '/a/index.html', '/a/amp', '/%E4%B8%AD/b.amp.html'),
    fc.array(
      fc.constantFrom('utm_source=x', 'b=2', 'a=%20', 'a', 'ref=rss', 'ref=docs', 'rss=1', 'fbclid='),
      { maxLength: 4 },
    ),
    fc.constantFrom('', '#v2', '#xtor=RSS-1', '#comments'),
  )
  .map(
    ([origin, path, query, hash]) =>
      `${origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}${hash}`,
  );

test('cleaning an address twice has the same result as once', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      const once = articleAddress(address).url;
      return articleAddress(once).url === once && addressKey(once) === addressKey(address);
    }),
  );
});

test.each([
  ['/a', 'https://site.example/a'],
  ['  https://site.example/\n a ', 'https://site.example/%20a'],
  ['feed://site.example/a', 'http://site.example/a'],
  ['feed:https://site.example/a', 'https://site.example/a'],
  ['//cdn.example/a', 'https://cdn.example/a'],
  ['mailto:a@b.example', null],
  ['data:text/html,x', null],
  ['', null],
  [`https://site.example/${'a'.repeat(3_000)}`, null],
])('%j resolves to %j', (href, expected) => {
  expect(resolveAddress(href, 'https://site.example/x/y')).toBe(expected);
});

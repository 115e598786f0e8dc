import { expect, test } from 'vitest';

import { parseRobots } from './robots-rules.ts';

const allows = (robots: string, path: string): boolean => parseRobots(robots, 'Daybook').allows(path);

test.each([
  ['User-agent: *\nDisallow: /private', '/private/a', false],
  ['User-agent: *\nDisallow: /private', '/public', true],
  ['User-agent: *\nDisallow:', '/a', true],
  ['User-agent: *\nDisallow: /', '/a', false],
  ['', '/a', true],
  ['<html>not found</html>', '/a', true],
  // Only the group that names the crawler applies.
  ['User-agent: *\nDisallow: /\n\nUser-agent: daybook\nDisallow: /x', '/a', true],
  ['User-agent: *\nAllow: /\n\nUser-agent: Daybook/2.0\nDisallow: /', '/a', false],
  ['User-agent: Daybook-News\nDisallow: /', '/a', true],
  ['User-agent: Other\nUser-agent: Daybook\nDisallow: /x', '/x', false],
  ['User-agent: Daybook\nDisallow: /x\nUser-agent: Other\nDisallow: /y', '/y', true],
  ['User-agent: Daybook\nAllow: /a\n\nUser-agent: Daybook\nDisallow: /b', '/b', false],
  ['User-agent: Daybook\nDisallow:\nUser-agent: *\nDisallow: /', '/b', true],
  // The longest match decides; of two equally long ones, the one that allows.
  ['User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
  ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
  ['User-agent: *\nAllow: /page\nDisallow: /*.html', '/page.html', false],
  ['User-agent: *\nDisallow: /*.php$', '/a.php', false],
  ['User-agent: *\nDisallow: /*.php$', '/a.php?x=1', true],
  ['User-agent: *\nDisallow: /a$', '/a', false],
  ['User-agent: *\nDisallow: /a$', '/ab', true],
  ['User-agent: *\nDisallow: /*a*b*c', '/xaxxbxxc', false],
  ['User-agent: *\nDisallow: /*ab$', '/ab/ab', false],
  ['User-agent: *\nDisallow: /*aba$', '/aba', false],
  ['User-agent: *\nDisallow: /ab*ba$', '/aba', true],
  ['User-agent: *\r\nDisallow: /a # comment\r\n', '/a', false],
  ['user-agent : *\ndisallow : /a', '/a', false],
  ['User-agent: *\nDisallow: /ä', '/%C3%A4/x', false],
  ['User-agent: *\nDisallow: /%c3%a4', '/%C3%A4', false],
  ['Sitemap: x\nUser-agent: *\nCrawl-delay: 5\nDisallow: /a', '/a', false],
  ['User-agent: *\nDisallow: /', '/robots.txt', true],
])('%j allows %s: %s', (robots, path, expected) => {
  expect(allows(robots, path)).toBe(expected);
});

test('matches a hostile pattern in linear time', () => {
  const started = performance.now();
  expect(allows(`User-agent: *\nDisallow: /${'*a'.repeat(2_000)}b$`, `/${'a'.repeat(4_000)}`)).toBe(true);
  expect(performance.now() - started).toBeLessThan(2_000);
});

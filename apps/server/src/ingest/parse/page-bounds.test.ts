import { describe, expect, it } from 'vitest';

import { openPage } from './html-page.ts';
import { lengthWithinBounds } from './page-bounds.ts';

const million = 1_000_000;
const filled = (part: string): string => part.repeat(Math.ceil(million / part.length));

describe('a page', () => {
  it('of an article is read to its end', () => {
    const paragraph = `<p>The company <a href="/one" class="link">said</a> that it earned ${'more '.repeat(40)}.</p>`;
    const page = `<html><body><main><article>${paragraph.repeat(2_000)}</article></main></body></html>`;
    expect(lengthWithinBounds(page)).toBe(page.length);
  });

  it.each([
    ['nests elements', filled('<div>')],
    ['nests elements with text', filled('<b>text ')],
    ['nests escaped text', filled('<i>&lt;b&gt;')],
    [
      'has an element with countless attributes',
      `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')}>`,
    ],
    ['has countless elements', filled('<i></i>')],
  ])('that %s is read in part', (_, page) => {
    expect(lengthWithinBounds(page)).toBeLessThan(page.length / 2);
  });

  it('keeps the text before the part that is not read', () => {
    const page = openPage(`<html><body><h1>Title</h1>${filled('<div>')}</body></html>`);
    expect([...page.querySelectorAll('h1')].map(({ textContent }) => textContent)).toEqual(['Title']);
  });
});

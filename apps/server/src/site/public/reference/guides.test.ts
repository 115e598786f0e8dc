import { expect, test } from 'vitest';

import { readGuides, renderGuide } from './guides.ts';

const rendered = (markdown: string): string =>
  renderGuide({ name: 'n', path: '/n', title: 't', opening: '', markdown }, (link) =>
    link.startsWith('../../') || link === '' ? null : `/site/${link}`,
  ).text;

test('raw HTML is shown as text', () => {
  expect(rendered('a <script>alert(1)</script> <b>')).toBe(
    '<p>a &lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt;</p>',
  );
});

test('links point to the site, and those that cannot become text', () => {
  expect(rendered('[one](other.md#part)')).toBe('<p><a href="/site/other.md#part">one</a></p>');
  expect(rendered('[`file`](../../file.ts)')).toBe('<p><code>file</code></p>');
  expect(rendered('[run](javascript:alert)')).toBe('<p>run</p>');
});

test('headings have the same ids as on GitHub', () => {
  expect(rendered('## Through a pooler: `SET`, & more')).toContain('<h2 id="through-a-pooler-set--more">');
});

test('cells name their column, also where it has markup', () => {
  const text = rendered('| A `"b"` | C |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |');
  expect(text).toContain('<td data-column="A &#34;b&#34;"><span>3</span></td>');
  expect(text).toContain('<td data-column="C"><span>4</span></td>');
});

test('every guide has a title and an opening', () => {
  for (const { name, title, opening } of readGuides()) {
    expect([name, title.length > 5, opening.length > 20]).toEqual([name, true, true]);
    expect(opening).not.toMatch(/[`[\]<>]/);
  }
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findLinks } from './note-link.ts';

const paths = (text: string): readonly string[] =>
  Array.from(findLinks(text), ({ kind, isEmbed, path, anchor, label }) =>
    [kind, isEmbed ? '!' : '', path, anchor ?? '', label ?? ''].join('|'),
  );

describe('links to other files', () => {
  it.each([
    ['[[Anna]]', 'wiki||Anna||'],
    ['[[People/Anna K#Work|her]]', 'wiki||People/Anna K|Work|her'],
    ['![[pic one.png|200]]', 'wiki|!|pic one.png||200'],
    ['[her](Anna%20K.md)', 'markdown||Anna K.md||her'],
    ['[her](<Anna K.md#work> "a title")', 'markdown||Anna K.md|work|her'],
    ['![p](img/a(1).png)', 'markdown|!|img/a(1).png||p'],
    ['[up](../x.md)', 'markdown||../x.md||up'],
    ['[ref]: ./x.md "t"', 'definition||./x.md||ref'],
    ['[笔记](笔记/读书.md)', 'markdown||笔记/读书.md||笔记'],
  ])('%s', (text, link) => {
    expect(paths(text)).toEqual([link]);
    expect(paths(`before ${text.startsWith('[ref]') ? '\n' : ''}${text}\nafter`)).toEqual([link]);
  });

  it.each([
    'https://example.org/[[x]]x'.replace('[[x]]', ''),
    '[web](https://example.org/a.md)',
    '[mail](mailto:a@b.c)',
    '[here](#below)',
    '[[#below]]',
    '`[[code]]`',
    '```\n[[fenced]]\n```',
    '- item\n  ```js\n  a[[0]]\n  ```',
    '~~~\n[[never closed]]',
    '<!-- [[comment]] -->',
    '[ ] task and [x] done',
  ])('none in %j', (text) => {
    expect(paths(text)).toEqual([]);
  });

  it('each link has its correct place, and no text makes the search slow', () => {
    const piece = fc.constantFrom(
      '[[a]]',
      '[b](c.md)',
      '`',
      '```\n',
      '\n',
      '[',
      ']',
      '(',
      ')',
      '|',
      '#',
      '!',
      ' x ',
      '<!--',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        for (const { start, end, path } of findLinks(text)) expect(text.slice(start, end)).toContain(path);
      }),
    );
    const started = performance.now();
    for (const hostile of ['[', '![', '[[', '`', '](', '<!--', '[a](', '('])
      Array.from(findLinks(hostile.repeat(20_000)));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

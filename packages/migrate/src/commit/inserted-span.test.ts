import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { chunkBody, fileEnd, insertedSpan } from './inserted-span.ts';

it('a fence or comment that a note left open is closed, so that later notes are not swallowed', () => {
  expect(chunkBody('```sh\nls\n')).toBe('```sh\nls\n```');
  expect(chunkBody('text <!-- open\nmore\n')).toBe('text <!-- open\nmore\n-->');
  expect(chunkBody('~~~\na\n~~~\n<!-- b -->\n')).toBe('~~~\na\n~~~\n<!-- b -->');
});

it.each([
  '- item\n\n  ```js\n  a\n  ```',
  '1. item\n   ~~~\n   a\n   ~~~',
  '- ```\n  open in the item',
  '> ```\n> open in the quotation',
  '````\n```\n````',
])('a fence inside a list item or quotation, or closed, is not closed again: %j', (body) => {
  expect(chunkBody(body)).toBe(body);
});

it('what is appended is separated by a blank line and taking it out again gives the file back', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', ' ') });
  fc.assert(
    fc.property(text, text, (before, piece) => {
      const span = insertedSpan(fileEnd(before), [piece]);
      expect((before + span).slice(0, -span.length)).toBe(before);
      expect(before === '' || /\n\r?\n/.test(before + span)).toBe(true);
    }),
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { chunkBody, fileEnd, insertedSpan } from './inserted-span.ts';

it('closes a fence or comment that a note left open, so that later notes stay outside it', () => {
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

it('separates an appended piece by a blank line, and its removal restores the file', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', ' ') });
  fc.assert(
    fc.property(text, text, (before, piece) => {
      const span = insertedSpan(fileEnd(before), [piece]);
      expect((before + span).slice(0, -span.length)).toBe(before);
      expect(before === '' || /\n\r?\n/.test(before + span)).toBe(true);
    }),
  );
});

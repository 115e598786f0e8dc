import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { identifyChunks } from './chunk-identity.ts';
import type { Chunk } from './chunk.ts';

const chunk = (text: string, headings: readonly string[] = []): Chunk => ({
  spans: [],
  part: 'section',
  headings,
  text,
});

it('gives a chunk the same id after it moved within the file', () => {
  const [before] = identifyChunks('a.md', [chunk('x')]);
  expect(identifyChunks('a.md', [chunk('new'), chunk('x')])).toContain(before);
});

it('gives different ids to equal chunks of one section, and of other files and sections', () => {
  const ids = [
    ...identifyChunks('a.md', [chunk('x'), chunk('x'), chunk('x', ['h'])]),
    ...identifyChunks('b.md', [chunk('x')]),
  ];
  expect(new Set(ids).size).toBe(4);
});

it('identifies pasted text by its content alone', () => {
  expect(identifyChunks(null, [chunk('x', ['h'])])).toEqual(identifyChunks(null, [chunk('x', ['other'])]));
});

it('derives the id of a long text from the JSON of all of it, also where a pair crosses a piece', () => {
  const text = `${'"'.repeat(64 * 1024 - 1)}😀\n${'ü'.repeat(70_000)}\ud83d`;
  const hash = createHash('sha256').update(JSON.stringify([['a.md', ['h']], text]));
  expect(identifyChunks('a.md', [chunk(text, ['h'])])).toEqual([hash.digest('hex').slice(0, 24)]);
});

import { expect, it } from 'vitest';

import { identifyChunks } from './chunk-identity.ts';
import type { Chunk } from './chunk.ts';

const chunk = (text: string, headings: readonly string[] = []): Chunk => ({
  spans: [],
  part: 'section',
  headings,
  text,
});

it('the same chunk has the same id wherever in the file it has moved to', () => {
  const [before] = identifyChunks('a.md', [chunk('x')]);
  expect(identifyChunks('a.md', [chunk('new'), chunk('x')])).toContain(before);
});

it('equal chunks of one section are told apart, those of other files and sections too', () => {
  const ids = [
    ...identifyChunks('a.md', [chunk('x'), chunk('x'), chunk('x', ['h'])]),
    ...identifyChunks('b.md', [chunk('x')]),
  ];
  expect(new Set(ids).size).toBe(4);
});

it('pasted text is known by its content alone', () => {
  expect(identifyChunks(null, [chunk('x', ['h'])])).toEqual(identifyChunks(null, [chunk('x', ['other'])]));
});

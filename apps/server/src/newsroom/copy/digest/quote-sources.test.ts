import { checkQuotes } from '@daybook/grounding/quotes';
import { expect, test } from 'vitest';

import { withQuotes } from './quote-sources.ts';
import type { StoryItem } from './story-item.ts';

const item: StoryItem = {
  id: 'one',
  sourceName: 'The Post',
  owner: 'Post',
  voice: 'Post',
  title: 'Veltrane raises 1.2 billion dollars on Tuesday',
  text: 'Veltrane has raised $1.2 billion. The weather was fine in Ostrava. Ninth Ferry Partners led the round of Veltrane.',
  language: 'en',
  receivedAt: 0n,
  tier: 1,
  firstParty: false,
};
const quotesOf = (text: string, items: readonly StoryItem[] = [item]) =>
  withQuotes({ sentences: [{ text, cites: items.map(({ id }) => id) }], contradictions: [] }, items)
    .sentences[0]?.quotes ?? [];

test('a sentence is quoted with the sentences of the text that contain its facts, in their order', () => {
  const sentence = 'In a round led by Ninth Ferry Partners, Veltrane has raised $1.2 billion.';
  const quotes = quotesOf(sentence);
  expect(quotes).toEqual([
    {
      itemId: 'one',
      sourceName: 'The Post',
      spans: ['Veltrane has raised $1.2 billion.', 'Ninth Ferry Partners led the round of Veltrane.'],
    },
  ]);
  expect(checkQuotes(sentence, quotes).findings).toEqual([]);
});

test('an identical sentence is its own quote', () => {
  expect(quotesOf('Veltrane has raised $1.2 billion.')[0]?.spans).toEqual([
    'Veltrane has raised $1.2 billion.',
  ]);
});

test('titles and long sentences are not quoted', () => {
  expect(quotesOf('Veltrane raises 1.2 billion dollars on Tuesday')[0]?.spans).not.toContain(item.title);
  const text = `Veltrane has raised $1.2 billion ${'and more '.repeat(60)}.`;
  expect(quotesOf('Veltrane has raised $1.2 billion.', [{ ...item, text }])).toEqual([]);
});

import type { Static } from 'typebox';

import type { HotTopic } from '../hot-topics/hot-topics-schema.ts';
import type { HotTopics } from '../hot-topics/hot-topics.ts';
import type { ItemSchema } from '../items/item-schema.ts';
import { linkTo, markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

type Item = Static<typeof ItemSchema>;

interface Line {
  readonly id: string;
  readonly title: string;
  readonly summary?: string;
  readonly source: { readonly name: string };
  readonly links: { readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
  readonly discoveredAt?: string;
}

/** One item as a list entry; every fact on a line of its own, so that none is mistaken for another. */
export function itemLines(item: Line): string[] {
  const facts = [
    item.summary,
    `Source: ${item.source.name}`,
    item.publishedAt === null ? undefined : `Published: ${item.publishedAt}`,
    item.discoveredAt === undefined ? undefined : `Received: ${item.discoveredAt}`,
  ];
  const { story } = item.links;
  return [
    `- **${plainText(item.title)}**`,
    ...facts
      .filter((fact) => fact !== undefined && fact !== '')
      .map((fact) => `  - ${plainText(fact ?? '')}`),
    `  - Original: ${linkTo(item.links.original)}`,
    ...(story === undefined ? [] : [`  - Story: ${story.slice(story.lastIndexOf('/') + 1)}`]),
  ];
}

export function writeItems(title: string, items: readonly Item[]): string {
  const body = items.length === 0 ? 'Nothing.' : untrusted(items.flatMap(itemLines));
  return markdownDocument(title, [untrustedNote, body]);
}

export function writeHotTopics({ rankedAt, items }: HotTopics): string {
  if (rankedAt === null) return markdownDocument('Hot topics', ['There is no ranking yet.']);
  return markdownDocument('Hot topics', [
    `Ranked at ${rankedAt}.`,
    untrustedNote,
    items.length === 0 ? 'Nothing.' : untrusted(items.flatMap(hotTopicLines)),
  ]);
}

function hotTopicLines(topic: HotTopic): string[] {
  const [first = '', ...rest] = itemLines(topic);
  const sources = topic.sourceNames.map(plainText).join(', ');
  return [first.replace('- ', `- ${topic.rank}\\. `), ...rest, `  - Reported by: ${sources}`];
}

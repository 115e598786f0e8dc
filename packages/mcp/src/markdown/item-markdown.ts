import type { HotTopic } from '@daybook/client/types';

import { linkTo, markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

export interface ItemLine {
  readonly id: string;
  readonly title: string;
  readonly summary?: string;
  readonly source: { readonly name: string };
  readonly links: { readonly original: string; readonly story?: string };
  readonly publishedAt: string | null;
  readonly discoveredAt?: string;
}

/** One item as a list entry; every fact on a line of its own, so that none is mistaken for another. */
export function itemLines(item: ItemLine): string[] {
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
    ...(story === undefined ? [] : [`  - Story: ${plainText(story.slice(story.lastIndexOf('/') + 1))}`]),
  ];
}

/** Notes are our own text: the age of the list and its next page. */
export function writeItems(title: string, items: readonly ItemLine[], notes: readonly string[] = []): string {
  const body = items.length === 0 ? 'Nothing.' : untrusted(items.flatMap(itemLines));
  return markdownDocument(title, [...notes, untrustedNote, body]);
}

export interface RankedTopics {
  readonly rankedAt: string | null;
  readonly items: readonly Pick<HotTopic, keyof ItemLine | 'rank' | 'sourceNames'>[];
}

export function writeHotTopics({ rankedAt, items }: RankedTopics): string {
  if (rankedAt === null) return markdownDocument('Hot topics', ['No ranking has been published yet.']);
  return markdownDocument('Hot topics', [
    `Ranked at ${rankedAt}.`,
    untrustedNote,
    items.length === 0 ? 'Nothing.' : untrusted(items.flatMap(hotTopicLines)),
  ]);
}

function hotTopicLines(topic: RankedTopics['items'][number]): string[] {
  const [first = '', ...rest] = itemLines(topic);
  const sources = topic.sourceNames.map(plainText).join(', ');
  return [first.replace('- ', `- ${topic.rank}\\. `), ...rest, `  - Reported by: ${sources}`];
}

import type { GroundingSource, Quantity } from '@daybook/grounding';
import { contentWords, readSource, splitSentences, statedFacts } from '@daybook/grounding';

import { bareNames, namesOf } from '../introduced-names.ts';

/** The part of a story's item that its digest needs. */
export interface StoryItem {
  readonly id: string;
  readonly sourceName: string;
  readonly owner: string;
  /** The owner that it counts for. Items of one voice do not confirm each other. */
  readonly voice: string;
  readonly title: string;
  readonly text: string;
  /** Of title and text, BCP 47. */
  readonly language: string;
  /** When it was received, in microseconds. */
  readonly receivedAt: bigint;
  readonly tier: 1 | 2 | 3 | 4;
  readonly firstParty: boolean;
}

export interface ReadSentence {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly words: ReadonlySet<string>;
  /** Names that it uses alone after an earlier sentence introduced them in full. */
  readonly needs: ReadonlySet<string>;
}

/** An item read once: its sentences, and the item as a source that sentences can be checked against. */
export interface ReadItem {
  readonly item: StoryItem;
  /** The title first. */
  readonly sentences: readonly ReadSentence[];
  readonly source: GroundingSource;
}

/** News comes first in a text; the work must be bounded. */
const sentencesMax = 24;
const sentenceCharsMax = 1_000;
const textCharsMax = 20_000;

export function readItem(item: StoryItem, aliases: readonly (readonly string[])[] = []): ReadItem {
  const sentences = [item.title, ...splitSentences(item.text.slice(0, textCharsMax))]
    .slice(0, sentencesMax)
    .map((sentence) => sentence.slice(0, sentenceCharsMax));
  const needs = bareNames(item.title, sentences.map(namesOf));
  return {
    item,
    sentences: sentences.map((text, at) => ({
      text,
      quantities: statedFacts(text).quantities,
      words: contentWords(text),
      needs: needs[at] ?? new Set(),
    })),
    // A digest may name the source of an item.
    source: readSource([item.title, item.text, item.sourceName].join('\n'), { aliases }),
  };
}

/** In the order of receipt; the id decides between equal times. */
export function byReceipt(one: ReadItem, other: ReadItem): number {
  const [a, b] = [one.item, other.item];
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

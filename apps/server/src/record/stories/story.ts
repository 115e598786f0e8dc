import type { Id } from '../../foundation/ids.ts';

export interface StoryDigest {
  readonly text: string;
  /** ISO 8601 with milliseconds, as sent to clients. */
  readonly updatedAt: string;
  readonly sentences: readonly { readonly text: string; readonly cites: readonly Id<'item'>[] }[];
  readonly contradictions: readonly {
    readonly statement: string;
    readonly earlier: readonly Id<'item'>[];
    readonly later: readonly Id<'item'>[];
  }[];
}

/** A link from one story to another; stored once and shown at both ends. */
export interface StoryLink {
  readonly storyId: Id<'story'>;
  /** storyline: one follows the other; related: they share a subject. */
  readonly kind: 'storyline' | 'related';
  /** 0 to 1. */
  readonly strength: number;
}

export interface Story {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly storylineId: Id<'storyline'> | null;
  readonly digest: StoryDigest | null;
  readonly mergedInto: Id<'story'> | null;
}

export type StoryFault = 'unknown_story' | 'merged_story';

/** The weakest links of a story beyond this number are deleted. */
export const storyLinksMax = 8;

export function citedItemIds(digest: StoryDigest): ReadonlySet<Id<'item'>> {
  return new Set([
    ...digest.sentences.flatMap(({ cites }) => cites),
    ...digest.contradictions.flatMap(({ earlier, later }) => [...earlier, ...later]),
  ]);
}

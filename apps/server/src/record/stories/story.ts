import type { Id } from '../../foundation/ids.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { languageOfText, otherLanguage } from '../../foundation/reader-language.ts';

/** What a cited item says in support of a sentence. */
export interface DigestQuote {
  readonly itemId: Id<'item'>;
  /** When the digest was written: the sentence may name it. */
  readonly sourceName: string;
  /** Sentences of its text, unchanged. */
  readonly spans: readonly string[];
  /**
   * Of title and text as the newsroom read them, in hex, with the salt of this revision of the item in the public log; null if
   * the log has none. The salt is deleted with the words.
   */
  readonly textHash: string | null;
  readonly saltRevision: number | null;
}

export interface DigestSentence {
  readonly text: string;
  readonly cites: readonly Id<'item'>[];
  /** Absent in a sentence by an editor, or from before quotes were stored. */
  readonly quotes?: readonly DigestQuote[];
}

export interface StoryDigest {
  readonly text: string;
  /** ISO 8601 with milliseconds, as sent to clients. */
  readonly updatedAt: string;
  readonly sentences: readonly DigestSentence[];
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

/** A part that an editor may write: the title, or the digest in a language. */
export type StoryPart = 'title' | `digest-${ReaderLanguage}`;

export interface Story {
  readonly id: Id<'story'>;
  readonly title: string;
  readonly storylineId: Id<'storyline'> | null;
  /** In the language of the title. */
  readonly digest: StoryDigest | null;
  /** In the other language. */
  readonly otherDigest: StoryDigest | null;
  readonly mergedInto: Id<'story'> | null;
  /** Rules leave these parts as they are. */
  readonly byEditor: readonly StoryPart[];
  /** The story that it was part of. */
  readonly splitFrom: Id<'story'> | null;
}

export type StoryFault = 'unknown_story' | 'merged_story';

/** The parts of the digest in the language of the title, and of the other one. */
export function digestParts({ title }: Pick<Story, 'title'>): {
  readonly digest: StoryPart;
  readonly otherDigest: StoryPart;
} {
  const own = languageOfText(title);
  return { digest: `digest-${own}`, otherDigest: `digest-${otherLanguage(own)}` };
}

/** The story with another title: if its language is another one, the two digests exchange their places. */
export function withTitle<Words extends Pick<Story, 'title' | 'digest' | 'otherDigest'>>(
  story: Words,
  title: string,
): Words {
  const { digest, otherDigest } = story;
  return languageOfText(title) === languageOfText(story.title)
    ? { ...story, title }
    : { ...story, title, digest: otherDigest, otherDigest: digest };
}

/** The weakest links of a story beyond this number are deleted. */
export const storyLinksMax = 8;

export function citedItemIds(
  digest: Pick<StoryDigest, 'sentences' | 'contradictions'>,
): ReadonlySet<Id<'item'>> {
  return new Set([
    ...digest.sentences.flatMap(({ cites, quotes = [] }) => [
      ...cites,
      ...quotes.map(({ itemId }) => itemId),
    ]),
    ...digest.contradictions.flatMap(({ earlier, later }) => [...earlier, ...later]),
  ]);
}

import type { GroundingSource, Quantity } from '../../../grounding/index.ts';
import { contentWords, readSource, splitSentences, statedFacts } from '../../../grounding/index.ts';

/** A report of a story, as far as its digest needs it. */
export interface StoryReport {
  readonly id: string;
  readonly sourceName: string;
  /** Reports of one owner do not confirm each other. */
  readonly owner: string;
  readonly title: string;
  readonly text: string;
  /** Of title and text, BCP 47. */
  readonly language: string;
  /** When it was received, in any unit that orders. */
  readonly receivedAt: bigint;
  readonly tier: 1 | 2 | 3 | 4;
  readonly firstParty: boolean;
}

export interface ReadSentence {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly words: ReadonlySet<string>;
}

/** A report read once: its sentences, and itself as a source that sentences can be checked against. */
export interface ReadReport {
  readonly report: StoryReport;
  /** The title first. */
  readonly sentences: readonly ReadSentence[];
  readonly source: GroundingSource;
}

/** News stands in front; the work must be bounded. */
const sentencesMax = 24;
const sentenceCharsMax = 1_000;
const textCharsMax = 20_000;

export function readReport(report: StoryReport, aliases: readonly (readonly string[])[] = []): ReadReport {
  const sentences = [report.title, ...splitSentences(report.text.slice(0, textCharsMax))]
    .slice(0, sentencesMax)
    .map((sentence) => sentence.slice(0, sentenceCharsMax));
  return {
    report,
    sentences: sentences.map((text) => ({
      text,
      quantities: statedFacts(text).quantities,
      words: contentWords(text),
    })),
    // A digest may say who reported something.
    source: readSource([report.title, report.text, report.sourceName].join('\n'), { aliases }),
  };
}

/** In the order in which they came; the id decides between equal times. */
export function byReceipt(one: ReadReport, other: ReadReport): number {
  const [a, b] = [one.report, other.report];
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

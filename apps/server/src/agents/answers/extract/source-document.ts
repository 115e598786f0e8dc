import { splitSentences, statedFacts } from '../../../grounding/index.ts';
import { toSimplified } from '../../../language/simplified.ts';
import type { Periods } from './periods.ts';
import { periodsOf } from './periods.ts';
import { directionsOf, namesOf } from './question.ts';
import type { TextTerms } from './text-terms.ts';
import { termsOf } from './text-terms.ts';

/** A text that an answer may quote. */
export interface SourceDocument {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** `YYYY-MM-DD`, or null if unknown. */
  readonly day: string | null;
}

/** A sentence of a document, with its place in the title or text. */
export interface SourceSentence {
  readonly text: string;
  /** 0 is the title. */
  readonly at: number;
  readonly terms: TextTerms;
  /** Computed for the sentences that share words with the question only. */
  readonly details: () => SentenceDetails;
}

export interface SentenceDetails {
  readonly facts: ReturnType<typeof statedFacts>;
  readonly names: readonly string[];
  readonly simple: string;
  readonly directions: ReadonlyMap<string, number>;
  readonly periods: Periods;
}

export interface ReadDocument {
  readonly source: SourceDocument;
  readonly sentences: readonly SourceSentence[];
  readonly keys: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  /** The terms of the title and the first sentences, which name the subject. */
  readonly lead: ReadonlySet<string>;
}

const leadSentences = 3;

export function readDocument(source: SourceDocument): ReadDocument {
  const year = source.day === null ? null : Number(source.day.slice(0, 4));
  const texts = splitSentences(source.text).filter((text) => text !== source.title);
  const sentences = [source.title, ...texts].map((text, at) => readSentence(text, at, year));
  const keysOf = (some: readonly SourceSentence[]): ReadonlySet<string> =>
    new Set(some.flatMap(({ terms }) => [...terms.keys]));
  return {
    source,
    sentences,
    keys: keysOf(sentences),
    title: sentences[0]?.terms.keys ?? new Set(),
    lead: keysOf(sentences.slice(0, leadSentences)),
  };
}

function readSentence(text: string, at: number, year: number | null): SourceSentence {
  let known: SentenceDetails | undefined;
  return {
    text,
    at,
    terms: termsOf(text),
    details: () => {
      known ??= readDetails(text, year);
      return known;
    },
  };
}

function readDetails(text: string, year: number | null): SentenceDetails {
  const simple = toSimplified(text);
  return {
    facts: statedFacts(text),
    names: namesOf(text),
    simple,
    directions: directionsOf(simple),
    periods: periodsOf(simple, year),
  };
}

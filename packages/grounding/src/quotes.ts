import { checkSentence } from './check-sentence.ts';
import { dateFollows } from './dates.ts';
import type { Finding } from './finding.ts';
import { findHanNames } from './han-names.ts';
import { agreement } from './language/quantities.ts';
import { findLatinNames } from './latin-names.ts';
import { isQuotedFrom } from './quotations.ts';
import type { GroundingSource } from './source.ts';
import { readSource } from './source.ts';
import { statedFacts } from './stated-facts.ts';
import { isVersionOf } from './versions.ts';

/** Exact parts of one cited text. */
export interface Quote {
  readonly spans: readonly string[];
  /** A sentence may name the publication that it cites. */
  readonly sourceName: string;
}

/** A fact of a sentence, and the quotes that contain it, by their place in the list. */
export interface QuotedFact {
  readonly kind: 'name' | 'number' | 'date' | 'version' | 'quotation';
  /** As written in the sentence, in normalised spelling; names in Latin letters in lower case. */
  readonly text: string;
  readonly quotes: readonly number[];
}

export interface CheckedQuotes {
  /** Empty if the quotes support the sentence without the rest of the texts. */
  readonly findings: readonly Finding[];
  readonly facts: readonly QuotedFact[];
}

/** Checks a sentence against quotes alone, as a reader without the cited texts can. */
export function checkQuotes(sentence: string, quotes: readonly Quote[]): CheckedQuotes {
  const sources = quotes.map(({ spans, sourceName }) => readSource([...spans, sourceName].join('\n')));
  return { findings: checkSentence(sentence, sources), facts: factsIn(sentence, sources) };
}

function factsIn(sentence: string, sources: readonly GroundingSource[]): readonly QuotedFact[] {
  const claim = statedFacts(sentence);
  const fact = (
    kind: QuotedFact['kind'],
    text: string,
    isIn: (source: GroundingSource) => boolean,
  ): QuotedFact => ({
    kind,
    text: text.trim(),
    quotes: sources.flatMap((source, at) => (isIn(source) ? [at] : [])),
  });
  const all = [
    ...findLatinNames(claim.words, claim.isTaken).map((name) =>
      fact('name', name, (source) => name.split(' ').every((word) => source.names().words.has(word))),
    ),
    ...findHanNames(claim.text).map((name) => fact('name', name, ({ nameText }) => nameText.includes(name))),
    ...claim.quantities.map((one) =>
      fact('number', one.text, ({ facts }) =>
        facts.quantities.some((other) => agreement(one, other) === 'yes'),
      ),
    ),
    ...claim.dates.map((one) =>
      fact('date', one.text, ({ facts, published }) => dateFollows(one, facts.dates, published)),
    ),
    ...claim.versions.map((one) =>
      fact('version', one.text, ({ facts }) => facts.versions.some((other) => isVersionOf(one, other))),
    ),
    ...claim.quotations.map((one) =>
      fact('quotation', one, (source) => isQuotedFrom(one, source.quotable())),
    ),
  ];
  return [...new Map(all.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

import type { StatedDate } from './dates.ts';
import { findDates } from './dates.ts';
import { findHanNames } from './han-names.ts';
import type { Span } from './language/plain-text.ts';
import { SpanSet, maskSpans, normalizeText } from './language/plain-text.ts';
import type { Quantity } from './language/quantities.ts';
import { findQuantities } from './language/quantities.ts';
import { findLatinNames } from './latin-names.ts';
import type { Word } from './latin-words.ts';
import { findWords } from './latin-words.ts';
import { findQuotations, quotable } from './quotations.ts';
import type { Version } from './versions.ts';
import { findVersions } from './versions.ts';

/** All checkable facts of a text; each part of the text is read once, as one fact. */
export interface StatedFacts {
  /** Normalised. */
  readonly text: string;
  readonly words: readonly Word[];
  readonly quotations: readonly string[];
  readonly dates: readonly StatedDate[];
  readonly versions: readonly Version[];
  readonly quantities: readonly Quantity[];
  /** Whether a stretch of the text is part of a date, a version or a quantity. */
  readonly isTaken: (span: Span) => boolean;
}

export function statedFacts(raw: string): StatedFacts {
  const text = normalizeText(raw);
  const words = findWords(text);
  const dates = findDates(text);
  const measured = findQuantities(maskSpans(text, dates));
  // A plain number without a unit after a name is a version; one inside a product's code is no quantity either.
  const isBare = ({ numeral, unit }: Quantity): boolean => numeral.plain && unit === null;
  const taken = new SpanSet(text.length, [...dates, ...measured.filter((one) => !isBare(one))]);
  const isMeasured = (span: Span): boolean => taken.touches(span);
  const versions = findVersions(
    words.filter((word) => word.kind !== 'code' || !isMeasured(word)),
    isMeasured,
  );
  const inVersions = new SpanSet(text.length, versions);
  const quantities = measured.filter((one) => !inVersions.touches(one));
  for (const span of [...versions, ...quantities]) taken.add(span);
  return {
    text,
    words,
    quotations: findQuotations(text),
    dates,
    versions,
    quantities,
    isTaken: isMeasured,
  };
}

/** One fact of a text; equal values have equal keys, whatever the spelling. */
export interface Fact {
  readonly kind: 'name' | 'quantity' | 'date' | 'version' | 'quotation';
  readonly key: string;
}

/** Every fact once. */
export function factsOf(text: string): Fact[] {
  const facts = statedFacts(text);
  const keys: Fact[] = [
    ...facts.quantities.map((quantity) => ({ kind: 'quantity' as const, key: quantityKey(quantity) })),
    ...facts.dates.map(({ start: _start, end: _end, text: _text, ...parts }) => ({
      kind: 'date' as const,
      key: Object.values(parts).join('-'),
    })),
    ...facts.versions.map(({ heads, number }) => ({
      kind: 'version' as const,
      key: `${heads[0] ?? ''} ${number}`,
    })),
    ...facts.quotations.map((quotation) => ({ kind: 'quotation' as const, key: quotable(quotation) })),
    ...[...findLatinNames(facts.words, facts.isTaken), ...findHanNames(facts.text)].map((key) => ({
      kind: 'name' as const,
      key,
    })),
  ];
  return [...new Map(keys.map((fact) => [`${fact.kind} ${fact.key}`, fact])).values()];
}

function quantityKey({ numeral, unit }: Quantity): string {
  const value = numeral.value * (unit?.factor ?? 1);
  return `${Number(value.toPrecision(10))} ${unit?.dimension.replace('local_', '') ?? ''}`.trim();
}

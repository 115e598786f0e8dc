import type { ReadDocument, SourceSentence } from './source-document.ts';

/** A sentence that an answer quotes or rests on. */
export interface CitedSentence {
  readonly document: ReadDocument;
  readonly sentence: SourceSentence;
}

/** Two sentences are about the same if they share this part of the words of the shorter one. */
const sharedMin = 0.5;

/** Pairs of sentences of different documents that say the same with different numbers. */
export function findContradictions(
  sentences: readonly CitedSentence[],
): readonly (readonly [number, number])[] {
  return sentences.flatMap((one, at) =>
    sentences
      .slice(at + 1)
      .flatMap((other, further) => (contradict(one, other) ? [[at, at + 1 + further] as const] : [])),
  );
}

function contradict(one: CitedSentence, other: CitedSentence): boolean {
  if (one.document.source.id === other.document.source.id || !saySame(one, other)) return false;
  const [first, second] = [valuesOf(one), valuesOf(other)];
  return [...first].some(([unit, values]) => {
    const others = second.get(unit);
    return others !== undefined && others.isDisjointFrom(values);
  });
}

const wordsOf = ({ sentence }: CitedSentence): ReadonlySet<string> =>
  new Set([...sentence.terms.keys].filter((key) => !/\d/u.test(key)));

function saySame(one: CitedSentence, other: CitedSentence): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  const shorter = Math.min(first.size, second.size);
  return shorter > 0 && first.intersection(second).size >= sharedMin * shorter;
}

/** The values of a sentence by unit; a number without a unit counts by itself. */
function valuesOf({ sentence }: CitedSentence): ReadonlyMap<string, ReadonlySet<number>> {
  const values = new Map<string, Set<number>>();
  for (const { numeral, unit } of sentence.details().facts.quantities) {
    const dimension = unit?.dimension ?? '';
    const known = values.get(dimension) ?? new Set();
    values.set(dimension, known.add(Number((numeral.value * (unit?.factor ?? 1)).toPrecision(10))));
  }
  return values;
}

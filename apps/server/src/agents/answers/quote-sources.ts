import { sha256 } from '../../foundation/hash.ts';
import { splitSentences } from '../../language/sentences.ts';
import type { CitableSource, Quotation, ReadAnswer, StoredAnswer } from './answer.ts';

const hashLength = 32;

export function sentenceHash(sentence: string): string {
  return sha256(sentence).slice(0, hashLength);
}

const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind} ${id}`;

/** Quotes the sentences of a stored answer from the sources as they are now. */
export function quoteSources(answer: StoredAnswer, sources: readonly CitableSource[]): ReadAnswer {
  const byKey = new Map(sources.map((source) => [keyOf(source), source]));
  const quoted = answer.sentences.map((sentence): Quotation | 'unavailable' | 'changed' => {
    const source = byKey.get(keyOf(sentence));
    return source === undefined ? 'unavailable' : (findQuotation(source, sentence.hash) ?? 'changed');
  });
  const places = new Map<number, number>();
  const sentences: ReadAnswer['sentences'][number][] = [];
  for (const [at, one] of quoted.entries()) {
    if (typeof one === 'string') continue;
    places.set(at, sentences.length);
    sentences.push({ text: one.quote, language: byKey.get(keyOf(one))?.language ?? null, cites: [one] });
  }
  const cited = new Set(sentences.flatMap(({ cites }) => cites.map(keyOf)));
  return {
    answer,
    sentences,
    leftOut: [
      ...quoted.flatMap((one) => (typeof one === 'string' ? [{ reason: one, text: null }] : [])),
      ...answer.unanswered.map((text) => ({ reason: 'unanswered' as const, text })),
    ],
    sources: sources.filter((source) => cited.has(keyOf(source))),
    contradictions: answer.contradictions.flatMap(([one, other]) => {
      const [first, second] = [places.get(one), places.get(other)];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    }),
  };
}

/** The sentence with this hash; an edit of another sentence of the source does not change it. */
function findQuotation({ kind, id, title, text }: CitableSource, hash: string): Quotation | null {
  let from = 0;
  const whole = `${title}\n${text}`;
  for (const sentence of [title, ...splitSentences(text)]) {
    const start = whole.indexOf(sentence, from);
    from = start + sentence.length;
    if (sentenceHash(sentence) === hash) return { kind, id, quote: sentence, start, end: from };
  }
  return null;
}

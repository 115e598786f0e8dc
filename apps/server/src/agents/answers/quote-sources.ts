import { splitSentences } from '@daybook/grounding/text';

import { sha256 } from '../../foundation/hash.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { CitableSource, Quotation, ReadAnswer, StoredAnswer, StoredSentence } from './answer.ts';

const hashLength = 32;

export function sentenceHash(sentence: string): string {
  return sha256(sentence).slice(0, hashLength);
}

const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string => `${kind} ${id}`;

type ShownSentence = ReadAnswer['sentences'][number];

/** Quotes the sentences of a stored answer from the sources as they are now. */
export function quoteSources(answer: StoredAnswer, sources: readonly CitableSource[]): ReadAnswer {
  const byKey = new Map(sources.map((source) => [keyOf(source), source]));
  const shown = answer.sentences.map((sentence) => showSentence(sentence, byKey.get(keyOf(sentence))));
  const places = new Map<number, number>();
  const sentences: ShownSentence[] = [];
  for (const [at, one] of shown.entries()) {
    if (typeof one === 'string') continue;
    places.set(at, sentences.length);
    sentences.push(one);
  }
  const cited = new Set(sentences.flatMap(({ cites }) => cites.map(keyOf)));
  return {
    answer,
    sentences,
    leftOut: [
      ...shown.flatMap((one) => (typeof one === 'string' ? [{ reason: one, text: null, kinds: [] }] : [])),
      ...answer.unanswered.map((text) => ({ reason: 'unanswered' as const, text, kinds: [] })),
      ...answer.stopped.map(({ reason, kinds }) => ({ reason, text: null, kinds })),
    ],
    sources: sources.filter((source) => cited.has(keyOf(source))),
    contradictions: answer.contradictions.flatMap(([one, other]) => {
      const [first, second] = [places.get(one), places.get(other)];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    }),
  };
}

/** Words of a model are shown only while the source still has every sentence that they rest on. */
export function showSentence(
  { hash, text, also = [], file }: StoredSentence,
  source: CitableSource | undefined,
): ShownSentence | 'unavailable' | 'changed' {
  if (source === undefined || text === null) return 'unavailable';
  const cites = [hash, ...also].map((one) =>
    findQuotation(source, { hash: one, ...(file !== undefined && { file }) }),
  );
  const found = cites.filter((one) => one !== null);
  const [first] = found;
  if (first === undefined || found.length < cites.length) return 'changed';
  // A file can have parts in several languages.
  const isWorded = text !== undefined || source.kind === 'file';
  const language = isWorded ? languageOfText(text ?? first.quote) : source.language;
  return { text: text ?? first.quote, language, cites: found };
}

/** The sentence with this hash; an edit of another sentence of the source does not change it. */
function findQuotation(
  source: CitableSource,
  { hash, file }: Pick<StoredSentence, 'hash' | 'file'>,
): Quotation | null {
  const { kind, id, title, text, version = null, textStart = 0 } = source;
  const quotation = (quote: string, start: number): Quotation => ({
    kind,
    id,
    quote,
    version,
    start,
    end: start + quote.length,
  });
  // Our own words about a correction change with what the record shows.
  if (kind === 'correction') return quotation(text, title.length + 1);
  if (sentenceHash(title) === hash) return quotation(title, 0);
  const inText = (quote: string, at: number): Quotation =>
    quotation(quote, title.length + 1 + textStart + at);
  if (file !== undefined && file.version === version) {
    const at = file.start - textStart;
    const quote = text.slice(at, file.end - textStart);
    if (sentenceHash(quote) === hash) return inText(quote, at);
  }
  let from = 0;
  for (const sentence of splitSentences(text)) {
    const at = text.indexOf(sentence, from);
    from = at + sentence.length;
    if (sentenceHash(sentence) === hash) return inText(sentence, at);
  }
  return null;
}

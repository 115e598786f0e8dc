import type { AnsweredPart, ReadDocument } from '../extract/index.ts';

/** A part of a source that a model reads, under its number. */
export interface Passage {
  readonly number: number;
  readonly document: ReadDocument;
  /** The title is sentence 0 of the document; a passage always contains it. */
  readonly sentences: ReadDocument['sentences'];
  /** The title, a line feed and the sentences. */
  readonly text: string;
}

const passagesMax = 12;
const charsMax = 16_000;
/** A shorter source is one passage. */
const wholeCharsMax = 1_500;
/** Sentences before and after one that shares words with the question. */
const before = 2;
const after = 3;

/** The parts of the sources that share most with the question: the best candidates of all parts in turn. */
export function choosePassages(parts: readonly AnsweredPart[]): readonly Passage[] {
  const chosen = new Map<ReadDocument, Set<number>>();
  let chars = 0;
  for (const { document, sentence } of inTurn(parts.map(({ candidates }) => candidates))) {
    const places = chosen.get(document) ?? new Set();
    const fresh = windowOf(document, sentence.at).filter((at) => !places.has(at));
    const length = fresh.reduce((sum, at) => sum + (document.sentences[at]?.text.length ?? 0), 0);
    if (fresh.length === 0) continue;
    if ((places.size === 0 && chosen.size === passagesMax) || chars + length > charsMax) break;
    chars += length;
    chosen.set(document, new Set([...places, ...fresh]));
  }
  return [...chosen].map(([document, places], at) => passageOf(document, places, at + 1));
}

function passageOf(document: ReadDocument, places: ReadonlySet<number>, number: number): Passage {
  const sentences = document.sentences.filter(({ at }) => at === 0 || places.has(at));
  const text = `${document.source.title}\n${textOf(sentences)}`;
  return { number, document, sentences, text };
}

/** Sentences of one passage that are not next to each other are separated by an empty line. */
export function textOf(sentences: ReadDocument['sentences']): string {
  let last = 0;
  let text = '';
  for (const { at, text: sentence } of sentences) {
    if (at === 0) continue;
    const gap = at === last + 1 ? ' ' : '\n\n';
    text += text === '' ? sentence : gap + sentence;
    last = at;
  }
  return text;
}

function windowOf({ sentences, source }: ReadDocument, at: number): number[] {
  if (source.text.length <= wholeCharsMax) return sentences.map((one) => one.at);
  const from = Math.max(0, at - before);
  return sentences.slice(from, at + after + 1).map((one) => one.at);
}

function* inTurn<One>(lists: readonly (readonly One[])[]): Generator<One> {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const list of lists) {
      const one = list[at];
      if (one !== undefined) yield one;
    }
  }
}

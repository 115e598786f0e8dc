import { splitSentences } from '@daybook/grounding/text';

import type { SearchWord } from './search-words.ts';
import type { TextSpan } from './source-document.ts';

/** A shorter text is read completely. */
const wholeCharsMax = 6_000;
const blockChars = 600;
const passagesCharsMax = 6_000;
/** A longer line without breaks is cut between sentences of these pieces. */
const pieceChars = 20_000;

/**
 * The parts of a text that contain the most of these words, in order, and its beginning, which names the subject. A word
 * counts the more, the fewer parts contain it.
 */
export function findPassages(text: string, words: readonly SearchWord[]): readonly TextSpan[] {
  if (text.length <= wholeCharsMax) return [{ start: 0, end: text.length }];
  const lower = text.toLowerCase();
  // Lowercase letters of a few languages are longer.
  const folded = lower.length === text.length ? lower : text;
  const blocks = blocksOf(text);
  const wanted = words.flatMap(({ forms }) => forms.map((form) => form.toLowerCase()));
  const found = wanted.map((word) => blocksWith(folded, blocks, word));
  const scores = blocks.map(() => 0);
  for (const places of found)
    for (const at of places) scores[at] = (scores[at] ?? 0) + Math.log(1 + blocks.length / places.size);
  const chosen = new Set([0]);
  let chars = lengthOf(blocks[0]);
  const best = [...blocks.keys()].filter((at) => (scores[at] ?? 0) > 0);
  best.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  for (const at of best) {
    chars += chosen.has(at) ? 0 : lengthOf(blocks[at]);
    if (chars > passagesCharsMax) break;
    chosen.add(at);
  }
  return joined(blocks.filter((_, at) => chosen.has(at)));
}

const lengthOf = (span: TextSpan | undefined): number => (span === undefined ? 0 : span.end - span.start);

function blocksWith(folded: string, blocks: readonly TextSpan[], word: string): ReadonlySet<number> {
  const found = new Set<number>();
  let at = 0;
  for (let place = folded.indexOf(word); place >= 0;) {
    while (place >= (blocks[at]?.end ?? Number.POSITIVE_INFINITY)) at += 1;
    found.add(at);
    place = folded.indexOf(word, Math.max(place + 1, blocks[at]?.end ?? place + 1));
  }
  return found;
}

/** Lines, shorter ones together, longer ones cut between sentences; they cover the text. */
function blocksOf(text: string): TextSpan[] {
  const blocks: TextSpan[] = [];
  let start = 0;
  const closeAt = (end: number): void => {
    if (end > start) blocks.push({ start, end });
    start = Math.max(start, end);
  };
  for (let line = 0; line < text.length;) {
    const found = text.indexOf('\n', line);
    const end = found < 0 ? text.length : found + 1;
    if (end - line > blockChars) for (const cut of cutsOf(text, line, end)) closeAt(cut);
    if (end - start >= blockChars || end === text.length) closeAt(end);
    line = end;
  }
  return blocks;
}

/** Where sentences of a long line end, at least a block apart. */
function cutsOf(text: string, from: number, to: number): number[] {
  const cuts: number[] = [];
  let last = from;
  for (let piece = from; piece < to; piece += pieceChars) {
    let at = piece;
    for (const sentence of splitSentences(text.slice(piece, Math.min(piece + pieceChars, to)))) {
      at = text.indexOf(sentence, at) + sentence.length;
      if (at - last < blockChars) continue;
      cuts.push(at);
      last = at;
    }
  }
  return cuts;
}

function joined(blocks: readonly TextSpan[]): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const block of blocks) {
    const last = spans.at(-1);
    if (last?.end === block.start) spans[spans.length - 1] = { start: last.start, end: block.end };
    else spans.push(block);
  }
  return spans;
}

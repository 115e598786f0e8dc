import { hanDictionary } from './han-dictionary.ts';
import { once } from './once.ts';

/** Chinese text needs other rules than alphabetic text. */
export const hanCharacter = /\p{Script=Han}/u;

const hanRun = /\p{Script=Han}+(?:·\p{Script=Han}+)*/gu;

export function hanRuns(text: string): string[] {
  return text.match(hanRun) ?? [];
}

/** Chinese has no spaces between words: two adjacent characters approximate one. */
export function hanBigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

const shortestWord = 2;
const longestWord = 4;
/** Of all words of the dictionary's corpus, in powers of two. */
const corpusLog2 = 26;
/** A character that no word contains counts as a word of this frequency. */
const singleLog2 = 11;

const frequencies = once((): ReadonlyMap<string, number> => {
  const known = new Map<string, number>();
  for (const { log2, words } of hanDictionary)
    for (const [at, joined] of words.entries()) {
      const length = at + shortestWord;
      for (let from = 0; from < joined.length; from += length)
        known.set(joined.slice(from, from + length), log2);
    }
  return known;
});

/** Runs of Chinese, words and numbers of other scripts, and single characters of anything else. */
const pieces =
  /\p{Script=Han}+|\d+(?:[.,]\d+)+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+(?:[.'’](?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+)*|[^]/gu;

/** The words of a Chinese text, each with its offset: the most probable ones by a dictionary, the same in every runtime. */
export function hanWords(text: string): { readonly text: string; readonly start: number }[] {
  return [...text.matchAll(pieces)].flatMap(({ 0: piece, index }) =>
    hanCharacter.test(piece)
      ? segmented(piece).map((word) => ({ ...word, start: word.start + index }))
      : [{ text: piece, start: index }],
  );
}

function segmented(run: string): { text: string; start: number }[] {
  const known = frequencies();
  const best = Array.from({ length: run.length + 1 }, () => 0);
  const ends = Array.from({ length: run.length }, (_, at) => at + 1);
  for (let start = run.length - 1; start >= 0; start -= 1) {
    best[start] = singleLog2 - corpusLog2 + (best[start + 1] ?? 0);
    for (let end = start + shortestWord; end <= Math.min(run.length, start + longestWord); end += 1) {
      const log2 = known.get(run.slice(start, end));
      if (log2 === undefined) continue;
      const score = log2 - corpusLog2 + (best[end] ?? 0);
      if (score <= (best[start] ?? 0)) continue;
      best[start] = score;
      ends[start] = end;
    }
  }
  const words: { text: string; start: number }[] = [];
  for (let start = 0; start < run.length; start = ends[start] ?? start + 1)
    words.push({ text: run.slice(start, ends[start]), start });
  return words;
}

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

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The words of a Chinese text by the runtime's dictionary, each with its offset. */
export function hanWords(text: string): { readonly text: string; readonly start: number }[] {
  return [...segmenter.segment(text)].map(({ segment, index }) => ({ text: segment, start: index }));
}

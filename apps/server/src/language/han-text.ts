/** Chinese text is read by other rules than text in an alphabet. */
export const hanCharacter = /\p{Script=Han}/u;

const hanRun = /\p{Script=Han}+(?:·\p{Script=Han}+)*/gu;

export function hanRuns(text: string): string[] {
  return text.match(hanRun) ?? [];
}

/** Chinese has no blanks between words: two characters side by side stand for one. */
export function hanBigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The words of a Chinese text as the runtime's dictionary divides it, each with its place. */
export function hanWords(text: string): { readonly text: string; readonly start: number }[] {
  return [...segmenter.segment(text)].map(({ segment, index }) => ({ text: segment, start: index }));
}

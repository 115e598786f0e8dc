import simplifiedCharacters from 'opencc-js/dict/STCharacters';

/** Simplified character → the usual traditional one. */
const traditionalOf: ReadonlyMap<string, string> = new Map(
  simplifiedCharacters.split('|').flatMap((entry) => {
    const [simplified = '', traditional = ''] = entry.split(' ');
    return simplified.length === 1 && traditional.length === 1 ? [[simplified, traditional] as const] : [];
  }),
);
const unified = /[\u3400-\u9fff]/gu;

/** Chinese in traditional characters, the usual one for each; the length does not change. */
export function toTraditional(text: string): string {
  return text.replace(unified, (character) => traditionalOf.get(character) ?? character);
}

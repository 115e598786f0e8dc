import simplifiedCharacters from 'opencc-js/dict/STCharacters';
import traditionalCharacters from 'opencc-js/dict/TSCharacters';

/** Traditional character → the usual simplified one, both of one code unit; rarer characters are left as they are. */
const pairs: ReadonlyMap<string, string> = new Map(
  traditionalCharacters
    .split('|')
    .map((entry) => entry.split(' '))
    .flatMap(([traditional = '', simplified = '']) =>
      traditional.length === 1 && simplified.length === 1 ? [[traditional, simplified] as const] : [],
    ),
);
const unified = /[\u3400-\u9fff]/gu;

/** Chinese in simplified characters; the length does not change. */
export function toSimplified(text: string): string {
  return text.replace(unified, (character) => pairs.get(character) ?? character);
}

/** Simplified character → the usual traditional one. */
const traditionalOf: ReadonlyMap<string, string> = new Map(
  simplifiedCharacters.split('|').flatMap((entry) => {
    const [simplified = '', traditional = ''] = entry.split(' ');
    return simplified.length === 1 && traditional.length === 1 ? [[simplified, traditional] as const] : [];
  }),
);

/** Chinese in traditional characters, the usual one for each; the length does not change. */
export function toTraditional(text: string): string {
  return text.replace(unified, (character) => traditionalOf.get(character) ?? character);
}

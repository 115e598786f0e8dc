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

import { simplifiedPairs } from './simplified-characters.ts';

const simplifiedOf: ReadonlyMap<string, string> = new Map(
  Array.from({ length: simplifiedPairs.length / 2 }, (_, at) => [
    simplifiedPairs.charAt(2 * at),
    simplifiedPairs.charAt(2 * at + 1),
  ]),
);
const unified = /[\u3400-\u9fff]/gu;

/** Chinese in simplified characters; the length does not change. Rarer characters are left as they are. */
export function toSimplified(text: string): string {
  return text.replace(unified, (character) => simplifiedOf.get(character) ?? character);
}

import { hanCharacter, normalizeTokenText } from '@daybook/grounding/text';

const shingleWords = 3;
const shingleHan = 4;

/** A run of words or of Chinese characters, and how many of them make a shingle. */
interface TextRun {
  readonly parts: readonly string[];
  readonly length: number;
}

export function* runsOfText(text: string): Generator<TextRun> {
  for (const [run] of normalizeTokenText(text)
    .toLowerCase()
    .matchAll(/\p{Script=Han}+|[^\p{Script=Han}]+/gu)) {
    const han = hanCharacter.test(run);
    const parts = han ? Array.from(run) : (run.match(/[\p{L}\p{N}]+/gu) ?? []);
    if (parts.length > 0) yield { parts, length: Math.min(han ? shingleHan : shingleWords, parts.length) };
  }
}

/** Three words or four Chinese characters each, in the order of the text. */
export function shingles(text: string): readonly string[] {
  const found: string[] = [];
  for (const { parts, length } of runsOfText(text))
    for (let at = 0; at + length <= parts.length; at += 1) found.push(parts.slice(at, at + length).join(' '));
  return found;
}

/** FNV-1a; the values of similar texts are similar, so `mix` them before comparing magnitudes. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** An unsigned 32-bit integer whose bits depend on all bits of the value. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

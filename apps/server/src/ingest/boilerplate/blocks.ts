import { sha256Bytes } from '../../foundation/hash.ts';

/** Increase it with every change of `normalised` or of the bounds: stored paragraphs are compared within one version. */
export const ruleVersion = 1;

/** A shorter paragraph can repeat by chance, a longer one is an article. */
const blockChars = { min: 20, minHan: 8, max: 1_500 } as const;
/** Boilerplate is at the beginning and the end of a page. */
const blocksOfPage = { first: 12, last: 36 } as const;
/** A text that consists of repeated paragraphs is a form, such as a forecast: all of it stays. */
const removedShareMax = 0.6;

/** The hashes of the paragraphs that can be boilerplate, each once, in the order of the hashes. */
export function blocksOf(text: string): readonly string[] {
  const lines = text.split('\n').filter(isBlock);
  const { first, last } = blocksOfPage;
  const read = lines.length > first + last ? [...lines.slice(0, first), ...lines.slice(-last)] : lines;
  return [...new Set(read.map(hashOfBlock))].sort();
}

/** The text without its repeated paragraphs. */
export function withoutBlocks(text: string, repeated: ReadonlySet<string>): string {
  if (repeated.size === 0) return text;
  const rest = text
    .split('\n')
    .filter((line) => !isBlock(line) || !repeated.has(hashOfBlock(line)))
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
  return rest.length < text.length * (1 - removedShareMax) ? text : rest;
}

function isBlock(line: string): boolean {
  const { length } = line.trim();
  const min = /\p{Script=Han}/u.test(line) ? blockChars.minHan : blockChars.min;
  return length >= min && length <= blockChars.max;
}

/** Digits stay: sentences of two reports can differ in their figures alone. */
function normalised(line: string): string {
  return line.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

function hashOfBlock(line: string): string {
  return sha256Bytes(normalised(line)).subarray(0, 16).toString('hex');
}

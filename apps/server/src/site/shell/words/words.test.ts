import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { chineseWords } from './chinese.ts';
import { englishWords } from './english.ts';

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(words: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value, [...path, key])
      : [{ path: [...path, key], value }],
  );
}

const catalogues = { english: leavesOf(englishWords), chinese: leavesOf(chineseWords) };

/** The source of every page, without the catalogues and tests. */
function pageSource(): string {
  const site = fileURLToPath(new URL('../../', import.meta.url));
  return globSync(`${site}**/*.ts`)
    .filter((file) => !file.includes('/words/') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** By the name of the key, or by an index into its group. */
function isUsed(source: string, path: readonly string[]): boolean {
  const [key, group] = path.toReversed() as [string, string | undefined];
  const name = RegExp.escape(key);
  return (
    new RegExp(`\\.${name}\\b|[{,]\\s*${name}\\s*[,:}]|'${name}'`, 'u').test(source) ||
    (group !== undefined && new RegExp(`\\b${group}\\[`, 'u').test(source))
  );
}

/** `{count}` in a text; for a function, which of its first three arguments the text contains. */
function placeholdersOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [...value.matchAll(/\{\w+\}/gu)].map(([found]) => found).sort();
  if (typeof value !== 'function') return [];
  const samples = [7_001, 7_003, 7_007];
  const text = String((value as (...given: number[]) => unknown)(...samples)).replaceAll(',', '');
  return samples.filter((sample) => text.includes(String(sample))).map(String);
}

test('both languages have the same keys', () => {
  const keysOf = (leaves: readonly Leaf[]): string[] => leaves.map(({ path }) => path.join('.')).sort();
  expect(keysOf(catalogues.chinese)).toEqual(keysOf(catalogues.english));
});

test('every key is used by a page', () => {
  const source = pageSource();
  expect(catalogues.english.filter(({ path }) => !isUsed(source, path))).toEqual([]);
});

test('a text has the same placeholders in both languages', () => {
  const chinese = new Map(catalogues.chinese.map(({ path, value }) => [path.join('.'), value]));
  const different = catalogues.english.filter(
    ({ path, value }) =>
      placeholdersOf(value).join(' ') !== placeholdersOf(chinese.get(path.join('.'))).join(' '),
  );
  expect(different.map(({ path }) => path.join('.'))).toEqual([]);
});
